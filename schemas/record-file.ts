/**
 * Files of records, a line of JSON each: appended whole, turned over before they grow too large, for their owner's eyes
 * alone. What a crash cut off stays on a line of its own, which who reads it skips.
 */
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface RecordFileOptions {
  /** A line that would make the file larger begins a new one; the older become `.1`, `.2` and so on. */
  maxBytes: number;
  /** Older files that stay. */
  kept: number;
  /** Resolve when the disk has the line, not only the system: for what must outlive a power cut. */
  durable?: boolean;
}

export type RecordFile = ReturnType<typeof createRecordFile>;

interface Waiting {
  bytes: Buffer;
  done(): void;
  failed(error: unknown): void;
}

interface Opened {
  handle: FileHandle;
  inode: number;
  size: number;
}

const newline = 10;
/** Read at a time. */
const partBytes = 1 << 16;
const flags =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  // Neither a link that somebody planted is followed, nor a pipe waited for.
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** What bytes of whole lines are added to: opened when it is needed, and anew when somebody moved the file. */
export function createRecordSink(path: string, durable = false) {
  let opened: Opened | undefined;

  const close = async (): Promise<void> => {
    const { handle } = opened ?? {};
    opened = undefined;
    await handle?.close();
  };

  const begin = async (): Promise<Opened> => {
    const there = await stat(path).catch(ifMissing);
    // Somebody moved or removed it.
    if (opened && there?.ino !== opened.inode) await close();
    if (opened) return Object.assign(opened, { size: there?.size });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, flags, 0o600);
    try {
      const found = await handle.stat();
      const { ino, size } = found;
      if (!found.isFile()) throw new Error(`${path} is not a regular file`);
      const last = size > 0 && (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0];
      opened = { handle, inode: ino, size };
      if (last !== false && last !== newline) await write(opened, Buffer.from('\n'));
      if (durable && !there) await syncFolder(dirname(path));
      return opened;
    } catch (error) {
      opened = undefined;
      await handle.close();
      throw error;
    }
  };

  /** All of it, or nothing; a part stays where another process has written since, whose lines are not ours to cut. */
  const write = async (to: Opened, bytes: Buffer): Promise<void> => {
    let at = 0;
    try {
      while (at < bytes.length) at += (await to.handle.write(bytes, at)).bytesWritten;
      if (durable) await to.handle.datasync();
      to.size += bytes.length;
    } catch (error) {
      await takeBack(to, at).catch(() => undefined);
      throw error;
    }
  };

  const takeBack = async ({ handle, size }: Opened, written: number): Promise<void> => {
    if ((await handle.stat()).size === size + written) await handle.truncate(size);
    // The part is ended as a line of its own by whoever opens the file next.
    else await close();
  };

  return { begin, write, close };
}

/** For one process, in which several may write to a file. Lines that are given while others are being written go out together. */
export function createRecordFile(path: string, { maxBytes, kept, durable = false }: RecordFileOptions) {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  const { begin, write, close } = createRecordSink(path, durable);

  const turnOver = async (): Promise<void> => {
    await close();
    await rm(`${path}.${kept}`, { force: true });
    for (let age = kept - 1; age >= 0; age -= 1) {
      await rename(age === 0 ? path : `${path}.${age}`, `${path}.${age + 1}`).catch(ifMissing);
    }
    if (kept === 0) await rm(path, { force: true });
  };

  const writeBatch = async (batch: Waiting[]): Promise<void> => {
    try {
      const to = await begin();
      const room = maxBytes - to.size;
      let size = 0;
      const fitting = batch.findIndex(each => {
        size += each.bytes.length;
        return size > room;
      });
      if (fitting === 0 && to.size > 0) {
        await turnOver();
        waiting.unshift(...batch);
        return;
      }
      const now = fitting < 0 ? batch : batch.slice(0, fitting);
      waiting.unshift(...batch.slice(now.length));
      batch = now;
      const [only] = now;
      await write(to, now.length === 1 && only ? only.bytes : Buffer.concat(now.map(each => each.bytes)));
      for (const each of now) each.done();
    } catch (error) {
      await close().catch(() => undefined);
      for (const each of batch) each.failed(error);
    }
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeBatch(batch);
    }
    writing = undefined;
  };

  /** Whole lines; they must stay as they are until it is done. */
  const appendBytes = (bytes: Buffer): Promise<void> => {
    if (bytes.length > maxBytes) {
      return Promise.reject(new Error(`a record of ${bytes.length} bytes is larger than ${maxBytes}`));
    }
    return new Promise((done, failed) => {
      waiting.push({ bytes, done, failed });
      writing ??= drain();
    });
  };

  return {
    path,
    /** Resolves when the line, JSON without its end, is in the file; rejects when it is not. */
    append: (line: string): Promise<void> => appendBytes(Buffer.from(`${line}\n`)),
    appendBytes,
    /** Waits for what was given, and lets go of the file. */
    async close(): Promise<void> {
      await writing;
      await close();
    },
  };
}

/**
 * The lines of a file of records, oldest first, some at a time; `null` stands for one that is longer than `maxBytes` or no
 * UTF-8. Rejects for what is no regular file.
 */
export async function* recordLines(path: string, maxBytes: number): AsyncGenerator<(string | null)[]> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is not a regular file`);
    // One for the whole file: a buffer for each part would stay until it is collected.
    let buffer = Buffer.allocUnsafe(partBytes);
    let filled = 0;
    let tooLong = false;
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], filled * 2);
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, null);
      if (bytesRead === 0) break;
      const all = filled + bytesRead;
      const end = buffer.subarray(0, all).lastIndexOf(newline);
      if (end >= 0) {
        const from = tooLong ? buffer.indexOf(newline) + 1 : 0;
        const lines = linesOf(buffer.subarray(from, Math.max(from, end)), maxBytes);
        yield tooLong ? [null, ...lines] : lines;
        buffer.copyWithin(0, end + 1, all);
        tooLong = false;
      }
      filled = all - end - 1;
      if (filled <= maxBytes) continue;
      tooLong = true;
      filled = 0;
    }
    if (tooLong || filled > 0) yield tooLong ? [null] : linesOf(buffer.subarray(0, filled), maxBytes);
  } finally {
    await handle.close();
  }
}

/** Empty lines are none. */
function linesOf(bytes: Buffer, maxBytes: number): (string | null)[] {
  const lines = isUtf8(bytes) ? bytes.toString().split('\n') : apart(bytes);
  const kept = lines.filter(each => each !== '');
  return bytes.length <= maxBytes
    ? kept
    : kept.map(each => (each && Buffer.byteLength(each) <= maxBytes ? each : null));
}

function apart(bytes: Buffer): (string | null)[] {
  const lines: (string | null)[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const found = bytes.indexOf(newline, from);
    const line = bytes.subarray(from, found < 0 ? bytes.length : found);
    lines.push(isUtf8(line) ? line.toString() : null);
    from += line.length + 1;
  }
  return lines;
}

const ifMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined;
  throw error;
};

/** So that a new file is still there after a power cut. Windows cannot, and need not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}
