/** Reads the rows' folder: unchanged files are not parsed again, unreadable ones are moved aside and told once. */
import { lstatSync, type Stats } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, type Validator } from '../../../kernel/index.ts';
import type { InstanceRow } from '../../../schemas/instance.ts';
import type { RegistryEntry, RegistryProblem, RegistrySnapshot } from './api.ts';
import { quarantineFile, trimQuarantine } from './quarantine.ts';
import { type RowReading, readRow } from './row-text.ts';

export interface ReaderDeps {
  folder: string;
  quarantine: string;
  validator: () => Validator;
  isAlive: (row: InstanceRow) => boolean | null;
  now: () => number;
  /** The same where nobody sets the clock: heartbeats are told in its time. */
  steady: () => number;
}

const maxFiles = 2000;
const maxBytes = 262_144;
/** Files looked at before others get their turn. */
const slice = 100;
/** A file system may use an inode again at once: now and then the text itself is read. */
const trustMs = 15_000;
/** What a writer that died in the middle left. */
const partLifeMs = 60_000;

interface Known {
  mark: string;
  readAt: number;
  reading: RowReading;
  told: boolean;
  /** The time of its file, when that was, and when it was looked at last. */
  beat?: { mtime: number; at: number; looked: number };
}

export function createRowReader({ folder, quarantine, validator, isAlive, now, steady }: ReaderDeps) {
  const known = new Map<string, Known>();
  let toldTooMany = false;

  const parse = async (name: string, found: Stats): Promise<RowReading> => {
    if (!found.isFile()) return { reason: `it is a ${kindOf(found)}, not a file`, keep: false };
    if (found.size > maxBytes)
      return { reason: `it has ${found.size} bytes, over the limit of ${maxBytes}`, keep: false };
    try {
      const text = await readFile(join(folder, name), 'utf8');
      return readRow(text, name.slice(0, -'.json'.length), validator());
    } catch (error) {
      return { reason: `it cannot be read: ${messageOf(error)}`, keep: true };
    }
  };

  const look = async (name: string, rows: RegistryEntry[], problems: RegistryProblem[]): Promise<boolean> => {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (!found) return false;
    const mark = `${found.ino} ${found.size} ${found.birthtimeMs}`;
    let entry = known.get(name);
    if (entry?.mark !== mark || now() - entry.readAt > trustMs) {
      const before = entry?.mark === mark && entry.told;
      entry = { mark, readAt: now(), reading: await parse(name, found), told: before, ...beatOf(entry) };
      known.set(name, entry);
    }
    const { reading } = entry;
    if ('row' in reading) {
      entry.beat = beatAt(found.mtimeMs, entry.beat);
      rows.push({ row: reading.row, last_heartbeat: entry.beat.at, alive: isAlive(reading.row) });
      return false;
    }
    const moved = !reading.keep && (await quarantineFile(folder, name, quarantine, now()));
    if (moved) known.delete(name);
    if (!entry.told) problems.push({ file: name, reason: reading.reason, at: now() });
    entry.told = true;
    return moved;
  };

  /** A heartbeat counts from when it was seen first, less its age then, whatever becomes of the clock. */
  const beatAt = (mtime: number, before: Known['beat']): NonNullable<Known['beat']> => {
    const looked = steady();
    if (before?.mtime === mtime) return { ...before, looked };
    const at = looked - Math.max(0, now() - mtime);
    // One that came since the last look is no older than that, even where its clock is another.
    return { mtime, at: before && mtime > before.mtime ? Math.max(at, before.looked) : at, looked };
  };

  const clean = async (name: string): Promise<void> => {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found && now() - found.mtimeMs > partLifeMs) await rm(join(folder, name), { force: true, recursive: true });
  };

  const read = async (): Promise<RegistrySnapshot> => {
    const rows: RegistryEntry[] = [];
    const problems: RegistryProblem[] = [];
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') problems.push({ file: folder, reason: messageOf(error), at: now() });
      return [];
    });
    const files = names.filter(each => each.endsWith('.json'));
    let moved = false;
    for (const [index, name] of files.slice(0, maxFiles).entries()) {
      moved = (await look(name, rows, problems)) || moved;
      if (index % slice === slice - 1) await new Promise(resolve => setImmediate(resolve));
    }
    const rest = files.length - maxFiles;
    if (rest > 0 && !toldTooMany) {
      const reason = `it holds ${files.length} rows: ${rest} of them are not read (limit ${maxFiles})`;
      problems.push({ file: folder, reason, at: now() });
    }
    toldTooMany = rest > 0;
    const present = new Set(files);
    for (const name of known.keys()) if (!present.has(name)) known.delete(name);
    for (const name of names) if (name.endsWith('.part')) await clean(name).catch(() => undefined);
    if (moved) await trimQuarantine(quarantine);
    return { rows, problems };
  };

  let reading: Promise<RegistrySnapshot> | undefined;
  return {
    /** Readings do not overlap: a call during one waits for it and reads again. */
    async read(): Promise<RegistrySnapshot> {
      while (reading) await reading.catch(() => undefined);
      reading = read();
      try {
        return await reading;
      } finally {
        reading = undefined;
      }
    },
  };
}

const beatOf = (entry: Known | undefined): Pick<Known, 'beat'> => (entry?.beat ? { beat: entry.beat } : {});

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'symbolic link';
  if (found.isDirectory()) return 'directory';
  return 'special file';
}
