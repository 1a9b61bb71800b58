/** Remembers which inputs a bundle was made of, across restarts, so that unchanged skills load without a build. */
import { hash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../../kernel/index.ts';

export interface CachedBundle {
  file: string;
  hash: string;
  inputs: string[];
}

interface InputRecord {
  path: string;
  mtime: number;
  size: number;
  hash: string;
}

interface Entry {
  file: string;
  hash: string;
  inputs: InputRecord[];
  /** When the inputs were last compared by content, in ms. */
  checked: number;
}

const day = 86_400_000;
const keptMs = 14 * day;
const keptFiles = 1000;
/** A time stamp this close to the moment of looking says nothing: the file may change again within it. */
const granularityMs = 2000;

export function createBundleCache(folder: string) {
  const entries = new Map<string, Entry>();
  const recordFile = (key: string): string => join(folder, `${key}.json`);

  const read = async (key: string): Promise<Entry | undefined> => {
    const known = entries.get(key);
    if (known) return known;
    try {
      return JSON.parse(await readFile(recordFile(key), 'utf8')) as Entry;
    } catch {
      return undefined;
    }
  };

  const keep = async (key: string, entry: Entry): Promise<void> => {
    entries.set(key, entry);
    await writeWhole(recordFile(key), JSON.stringify(entry), { mode: 0o600, folderMode: 0o700 });
  };

  return {
    /** The bundle of `key` when every input is as it was. */
    async find(key: string): Promise<CachedBundle | undefined> {
      const entry = await read(key);
      if (!entry) return undefined;
      try {
        const checked = Date.now();
        const now = await Promise.all(entry.inputs.map(input => compare(input, entry.checked)));
        if (now.some(each => each === undefined)) return undefined;
        await refresh(entry.file, checked);
        const changed = now.some((each, index) => each !== entry.inputs[index]);
        if (changed) await keep(key, { ...entry, inputs: now as InputRecord[], checked });
        else entries.set(key, entry);
        return { file: entry.file, hash: entry.hash, inputs: entry.inputs.map(each => each.path) };
      } catch {
        // An input or the bundle is gone.
        return undefined;
      }
    },
    /** Remembers a build that started at `startedAt`; inputs touched since then make it forget instead. */
    async store(key: string, bundle: CachedBundle, startedAt: number): Promise<void> {
      const inputs = await Promise.all(bundle.inputs.map(inputRecord));
      if (inputs.some(input => input.mtime >= startedAt - 10)) {
        // Changed while it was being built: nobody knows which bytes the build saw.
        entries.delete(key);
        await rm(recordFile(key), { force: true });
        return;
      }
      await keep(key, { file: bundle.file, hash: bundle.hash, inputs, checked: startedAt });
    },
    /** Removes files that nobody used for two weeks, and the oldest beyond 1,000. */
    async prune(): Promise<void> {
      const names = await readdir(folder);
      const files = await Promise.all(
        names.map(async name => {
          const path = join(folder, name);
          return { path, used: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
        }),
      );
      files.sort((one, other) => other.used - one.used);
      const now = Date.now();
      const old = files.filter(({ path, used }, index) => {
        const age = now - used;
        return age > keptMs || (age > day && (index >= keptFiles || path.endsWith('.part')));
      });
      for (const { path } of old) await rm(path, { force: true });
    },
  };
}

/** The record when the file is unchanged (a new one when only its time stamp moved), undefined when it changed. */
async function compare(input: InputRecord, checked: number): Promise<InputRecord | undefined> {
  const { mtimeMs, size } = await stat(input.path);
  if (size !== input.size) return undefined;
  if (mtimeMs === input.mtime && mtimeMs < checked - granularityMs) return input;
  const found = await inputRecord(input.path);
  return found.hash === input.hash ? found : undefined;
}

async function inputRecord(path: string): Promise<InputRecord> {
  const { mtimeMs, size } = await stat(path);
  return { path, mtime: mtimeMs, size, hash: hash('sha256', await readFile(path)) };
}

/** Marks a bundle as used, at most once a day; throws when it is gone. */
async function refresh(file: string, now: number): Promise<void> {
  const { mtimeMs } = await stat(file);
  if (now - mtimeMs > day) await utimes(file, new Date(now), new Date(now));
}
