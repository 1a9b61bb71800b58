/**
 * Skill directories that somebody else may write: what lies there is run, and read by models. By the bits of the file
 * system alone; where there are none (Windows), nothing is told.
 */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { revealed } from '../../../schemas/hidden-text.ts';

export interface ExposedPlace {
  /** Of the skill that it is part of, or that lies in it. */
  skill_path: string;
  path: string;
  reason: string;
}

/** Looked at of one package. */
const mostEntries = 2000;
/** Told of one package: the first says enough. */
const mostPlaces = 5;

const own = process.getuid?.();

export async function exposedPlaces(directories: Iterable<string>): Promise<ExposedPlace[]> {
  if (own === undefined) return [];
  const above = new Map<string, string | undefined>();
  const found: ExposedPlace[] = [];
  for (const skill_path of new Set(directories)) {
    const places: { path: string; reason: string }[] = [];
    for (let path = dirname(skill_path); ; path = dirname(path)) {
      if (!above.has(path)) above.set(path, await reasonFor(path));
      const reason = above.get(path);
      if (reason !== undefined) places.push({ path, reason });
      if (path === dirname(path)) break;
    }
    for (const path of await entriesOf(skill_path)) {
      const reason = places.length < mostPlaces ? await reasonFor(path) : undefined;
      if (reason !== undefined) places.push({ path, reason });
    }
    for (const { path, reason } of places.slice(0, mostPlaces)) {
      found.push({ skill_path: revealed(skill_path), path: revealed(path), reason });
    }
  }
  return found;
}

/** The directory and what it holds. */
async function entriesOf(directory: string): Promise<string[]> {
  const entries = [directory];
  const folders = [directory];
  for (const folder of folders) {
    for (const each of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entries.length >= mostEntries) return entries;
      const path = join(folder, each.name);
      if (each.isDirectory() && each.name !== 'node_modules') folders.push(path);
      if (each.isDirectory() || each.isFile()) entries.push(path);
    }
  }
  return entries;
}

async function reasonFor(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && exposureOf(found, own);
}

/** Why what these are the bits of may be changed by others than `uid`. Pure. */
export function exposureOf(found: Pick<Stats, 'mode' | 'uid' | 'gid' | 'isDirectory'>, user = own): string | undefined {
  const { mode, uid, gid } = found;
  if (uid !== user && uid !== 0) return 'it belongs to another user';
  // There everybody may add, and nobody may replace what is another's.
  if (found.isDirectory() && (mode & 0o1000) !== 0) return undefined;
  if ((mode & 0o002) !== 0) return 'everybody may write to it';
  // A group of the same number is its user's alone, by the custom of most systems.
  return (mode & 0o020) !== 0 && gid !== uid ? 'its group may write to it' : undefined;
}
