/**
 * A file of rows that keeps the newest: what is too much goes from its beginning, by writing the rest anew beside it. That
 * is not done more often than a small part of the time allows; meanwhile the file is a little larger.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { createRecordSink } from '../../../schemas/record-file.ts';
import { putInPlace } from '../../../schemas/whole-file.ts';

export interface Caps {
  maxRows: number;
  maxBytes: number;
}

/** Trimming takes at most one part in so many of the time. */
const rest = 50;
/** Read and written at a time: each is a turn of the loop, and rows that come meanwhile wait. */
const partBytes = 1024 * 1024;
const newline = 10;

export type CappedFile = ReturnType<typeof createCappedFile>;

export function createCappedFile(path: string, { maxRows, maxBytes }: Caps) {
  const sink = createRecordSink(path);
  const beside = `${path}.${process.pid}.tmp`;
  /** Lengths of the lines that are there, oldest first; those before `first` are gone. */
  let lengths: number[] = [];
  let first = 0;
  /** Undefined before the file was read. */
  let bytes: number | undefined;
  let restsUntil = 0;

  const add = (length: number): void => {
    lengths.push(length);
    bytes = (bytes ?? 0) + length;
  };

  /** Reads how long the lines are, at the start and when another process wrote to the file. */
  const measure = async (): Promise<void> => {
    [lengths, first, bytes] = [[], 0, 0];
    let begun = 0;
    for await (const read of createReadStream(path, { highWaterMark: partBytes })) {
      const chunk = read as Buffer;
      for (const length of lineLengths(chunk, begun)) add(length);
      const end = chunk.lastIndexOf(newline);
      begun = end < 0 ? begun + chunk.length : chunk.length - end - 1;
    }
  };

  /** Forgets the oldest until `rows` more of `size` bytes fit; gives how many bytes go. */
  const makeRoom = (rows: number, size: number): number => {
    let gone = 0;
    while (
      first < lengths.length &&
      (lengths.length - first + rows > maxRows || (bytes ?? 0) - gone + size > maxBytes)
    ) {
      gone += lengths[first] ?? 0;
      first += 1;
    }
    bytes = (bytes ?? 0) - gone;
    if (first > maxRows) [lengths, first] = [lengths.slice(first), 0];
    return gone;
  };

  const tooMuch = (rows: number, size: number): boolean =>
    lengths.length - first + rows > maxRows || (bytes ?? 0) + size > maxBytes;

  /** What stands in the file after `at`, through one piece of memory. */
  const copyFrom = async (at: number, target: FileHandle): Promise<void> => {
    const source = await open(path);
    try {
      const part = Buffer.allocUnsafeSlow(partBytes);
      for (;;) {
        const { bytesRead } = await source.read(part, 0, partBytes, at);
        if (bytesRead === 0) return;
        await target.appendFile(part.subarray(0, bytesRead));
        at += bytesRead;
      }
    } finally {
      await source.close();
    }
  };

  /** The file without its oldest rows, and with `added` at its end. */
  const rewrite = async (rows: number, added: Buffer): Promise<void> => {
    const began = performance.now();
    const from = makeRoom(rows, added.length);
    await rm(beside, { force: true });
    const target = await open(beside, 'wx', 0o600);
    try {
      await copyFrom(from, target);
      await target.appendFile(added);
    } catch (error) {
      bytes = undefined;
      await target.close();
      await rm(beside, { force: true });
      throw error;
    }
    await target.close();
    // Windows replaces no file that is open.
    await sink.close();
    await putInPlace(beside, path);
    const now = performance.now();
    restsUntil = now + rest * (now - began);
  };

  const trimmed = async (): Promise<void> => {
    if (bytes !== undefined && tooMuch(0, 0)) await rewrite(0, Buffer.alloc(0));
  };

  return {
    path,
    /** Adds whole lines, each with its end. What alone is more than the file may keep loses its oldest lines. */
    async append(given: Buffer): Promise<void> {
      const to = await sink.begin();
      if (to.size !== bytes) await measure();
      const all = [...lineLengths(given, 0)];
      let [left, size] = [all.length, given.length];
      while (left > 0 && (left > maxRows || size > maxBytes)) {
        size -= all[all.length - left] ?? 0;
        left -= 1;
      }
      if (left === 0)
        throw new Error(`a row of ${given.length} bytes is more than the ${maxBytes} that the file keeps`);
      const rows = all.slice(-left);
      const added = given.subarray(given.length - size);
      if (tooMuch(rows.length, added.length) && performance.now() >= restsUntil) await rewrite(rows.length, added);
      else await sink.write(to, added);
      for (const each of rows) add(each);
    },
    /** In how many ms it is time for rows to go that are too many; undefined where none are. */
    get due(): number | undefined {
      return bytes !== undefined && tooMuch(0, 0) ? Math.max(0, restsUntil - performance.now()) : undefined;
    },
    trim: trimmed,
    async close(): Promise<void> {
      try {
        await trimmed();
      } finally {
        await sink.close();
      }
    },
  };
}

/** Lengths of the lines that end in `chunk`; `before`: of the beginning of the first. */
function* lineLengths(chunk: Buffer, before: number): Generator<number> {
  let from = 0;
  for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
    yield end + 1 - from + (from === 0 ? before : 0);
    from = end + 1;
  }
}
