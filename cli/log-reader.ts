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

/** The last `count` lines of all, in the order in which they were written. */
export async function lastLines(sources: readonly Source[], count: number): Promise<Line[]> {
  const all = await Promise.all(sources.map(each => tailOf(each, count)));
  return all
    .flat()
    .sort((a, b) => a.time - b.time)
    .slice(-count || all.length * count);
}

async function tailOf(source: Source, count: number): Promise<Line[]> {
  const size = await stat(source.file).then(
    found => found.size,
    () => 0,
  );
  if (size === 0) return older(source, count);
  const lines: Line[] = [];
  const start = Math.max(0, size - mostBytes);
  const input = createReadStream(source.file, { start });
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
  const file = `${source.file}.1`;
  if (basename(source.file).endsWith('.1') || !(await stat(file).catch(() => undefined))) return [];
  return (await tailOf({ ...source, file }, count)).slice(-count);
}

const timeOf = (text: string): number | undefined => {
  const [, time] = /^{"level":\d+,"time":(\d+)/.exec(text) ?? [];
  return time === undefined ? undefined : Number(time);
};

/** Lines that are added to the file from now on, also to one that takes its name; ends with `signal`. */
export async function* follow(source: Source, signal: AbortSignal): AsyncGenerator<Line> {
  let position = await stat(source.file).then(
    found => found.size,
    () => 0,
  );
  let inode: number | undefined;
  let rest = '';
  while (!signal.aborted) {
    const found = await stat(source.file).catch(() => undefined);
    if (found && inode !== undefined && (found.ino !== inode || found.size < position)) position = 0;
    inode = found?.ino ?? inode;
    if (found && found.size > position) {
      const added = await read(source.file, position, found.size - position);
      position += added.length;
      const lines = (rest + added.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) yield { ...source, text, time: timeOf(text) ?? Date.now() };
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

async function read(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(length, mostBytes)), { position });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
