/** The logs of programs, newest lines first found, and what is added to them. */
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './running.ts';
import { stateDirectory } from './state.ts';

/** A log, and whose. */
export interface Source {
  name: string;
  pid: number;
  file: string;
}

export interface Line extends Source {
  text: string;
  /** Milliseconds since the epoch; that of the line before where it has none. */
  time: number;
}

/** Enough for some thousand lines of the end of a file. */
const mostBytes = 1 << 20;
const pollMs = 200;

export const sourcesOf = (running: readonly Running[]): Source[] =>
  running.flatMap(({ name, pid, log_file }) => (log_file === null ? [] : [{ name, pid, file: log_file }]));

/** Logs of programs that have ended, the latest first. */
export async function endedSources(running: readonly Running[]): Promise<Source[]> {
  const known = new Set(running.map(each => each.log_file));
  const names = await readdir(stateDirectory()).catch(() => []);
  const found = names.flatMap(each => {
    const [, name, pid] = /^(.+)-(\d+)\.log$/.exec(each) ?? [];
    const file = join(stateDirectory(), each);
    return name === undefined || known.has(file) ? [] : [{ name, pid: Number(pid), file }];
  });
  const times = await Promise.all(
    found.map(({ file }) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return found
    .map((source, index) => ({ source, time: times[index] ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .map(({ source }) => source);
}

/** How far a log is written. */
export interface Position {
  inode: number;
  size: number;
}

export const positionOf = ({ file }: Source): Promise<Position | undefined> =>
  stat(file).then(
    ({ ino, size }) => ({ inode: ino, size }),
    () => undefined,
  );

/** The last `count` lines of all before these positions, in the order in which they were written. */
export async function lastLines(
  sources: readonly (Source & { position: Position | undefined })[],
  count: number,
): Promise<Line[]> {
  const all = await Promise.all(sources.map(({ position, ...each }) => tailOf(each, count, position?.size ?? 0)));
  return all
    .flat()
    .sort((a, b) => a.time - b.time)
    .slice(-count || all.length * count);
}

async function tailOf(source: Source, count: number, size: number): Promise<Line[]> {
  if (size === 0) return older(source, count);
  const lines: Line[] = [];
  const start = Math.max(0, size - mostBytes);
  const input = createReadStream(source.file, { start, end: size - 1 });
  let time = 0;
  for await (const text of createInterface({ input })) {
    time = timeOf(text) ?? time;
    lines.push({ ...source, text, time });
  }
  // The first of a file that is not read from its beginning is half a line.
  if (start > 0) lines.shift();
  const missing = count - lines.length;
  return missing > 0 && start === 0 ? [...(await older(source, missing)), ...lines] : lines.slice(-count);
}

/** What was turned over. */
async function older(source: Source, count: number): Promise<Line[]> {
  const before = { ...source, file: `${source.file}.1` };
  const position = basename(source.file).endsWith('.1') ? undefined : await positionOf(before);
  return position ? (await tailOf(before, count, position.size)).slice(-count) : [];
}

const timeOf = (text: string): number | undefined => {
  const [, time] = /^{"level":\d+,"time":(\d+)/.exec(text) ?? [];
  return time === undefined ? undefined : Number(time);
};

/** Lines that are added to the file after `from`, also to one that takes its name; ends with `signal`. */
export async function* follow(source: Source, from: Position | undefined, signal: AbortSignal): AsyncGenerator<Line> {
  let { inode, size: position } = from ?? { inode: undefined, size: 0 };
  let rest = Buffer.alloc(0);
  const line = (text: string): Line => ({ ...source, text, time: timeOf(text) ?? Date.now() });
  while (!signal.aborted) {
    const found = await positionOf(source);
    if (found && inode !== undefined && (found.inode !== inode || found.size < position)) {
      const before = { ...source, file: `${source.file}.1` };
      const turned = await positionOf(before);
      // What was written last before it was turned over.
      const missed = turned?.inode === inode ? await read(before.file, position, turned.size - position) : '';
      for (const text of `${rest}${missed}`.split('\n')) if (text !== '') yield line(text);
      [position, rest] = [0, Buffer.alloc(0)];
    }
    inode = found?.inode ?? inode;
    if (found && found.size > position) {
      const added = await read(source.file, position, found.size - position);
      position += added.length;
      const bytes = Buffer.concat([rest, added]);
      const end = bytes.lastIndexOf('\n') + 1;
      rest = bytes.subarray(end);
      for (const text of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) yield line(text);
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Nothing of a file that is gone by then. */
async function read(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(length, mostBytes)), { position });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
