/**
 * Watches the folders in which a project's files lie, not the files: a folder of 20,000 textures costs one watch.
 * Nothing below a folder is read for it.
 */
import { type FSWatcher, type Stats, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Inventory, Item } from './inventory.ts';

/** Most folders that are watched, those of layers first; changes in others are noticed when somebody reads or lists. */
export const mostFolders = 1000;

/** Items that are gone through before others have a turn. */
const sliceSize = 256;

export interface FolderWatchDeps {
  /** Something happened to a file of the project, or to one that may become one. */
  onTouch(): void;
  /** Told once when not every folder can be watched. */
  onGap(reason: unknown): void;
}

interface Watched {
  watcher: FSWatcher;
  ino: number;
  /** Names of interest, as `masked` gives them. */
  names: ReadonlySet<string>;
  /** The folder itself came or went: what is watched may be one that is no more. */
  stale: boolean;
}

export function createFolderWatch({ onTouch, onGap }: FolderWatchDeps) {
  const watched = new Map<string, Watched>();
  let told = false;
  let latest: Inventory | undefined;

  const gap = (reason: unknown): void => {
    if (!told) onGap(reason);
    told = true;
  };

  const end = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const begin = (folder: string, names: ReadonlySet<string>, { ino }: Stats): boolean => {
    try {
      const watcher = watch(folder, { persistent: false });
      const entry: Watched = { watcher, ino, names, stale: false };
      watcher.on('change', (kind, given) => {
        const name = given === null ? undefined : String(given);
        if (kind === 'rename' && (name === undefined || name === basename(folder))) entry.stale = true;
        if (entry.stale || name === undefined || entry.names.has(masked(name))) onTouch();
      });
      watcher.on('error', () => {
        entry.stale = true;
        onTouch();
      });
      watched.set(folder, entry);
      return true;
    } catch (error) {
      gap(error);
      return false;
    }
  };

  return {
    /** Watches the folders of `stock`, and no others; true when some are new. A later stock overtakes an earlier one. */
    async follow(stock: Inventory): Promise<boolean> {
      latest = stock;
      const wanted = await foldersOf(stock);
      if (latest !== stock) return false;
      if (wanted.truncated) gap(new Error(`its files lie in more than ${mostFolders} folders`));
      for (const folder of watched.keys()) if (!wanted.folders.has(folder)) end(folder);
      let fresh = false;
      for (const [folder, names] of wanted.folders) {
        const stats = statOf(folder);
        const known = watched.get(folder);
        if (known && !known.stale && known.ino === stats?.ino) known.names = names;
        else {
          end(folder);
          if (stats && begin(folder, names, stats)) fresh = true;
        }
      }
      return fresh;
    },
    get size(): number {
      return watched.size;
    },
    close(): void {
      latest = undefined;
      for (const folder of [...watched.keys()]) end(folder);
    },
  };
}

/** Folders to watch, the stage's and the layers' first, each with the names in it that matter. */
async function foldersOf({ stage, families }: Inventory) {
  const folders = new Map<string, Set<string>>();
  const missing = new Set<string>();
  const exists = (folder: string): boolean => {
    if (folders.has(folder)) return true;
    if (missing.has(folder)) return false;
    if (statOf(folder)) return true;
    missing.add(folder);
    return false;
  };
  const add = (path: string): void => {
    // Of what is missing the nearest folder that exists, and in it the name that has to come first.
    let [folder, name] = [dirname(path), basename(path)];
    while (!exists(folder) && dirname(folder) !== folder) [folder, name] = [dirname(folder), basename(folder)];
    folders.set(folder, (folders.get(folder) ?? new Set()).add(masked(name)));
  };
  const { layers, ...others } = families;
  const items: Item[] = [stage, ...layers.items, ...Object.values(others).flatMap(each => each.items)];
  for (const [at, { located }] of items.entries()) {
    if (at % sliceSize === sliceSize - 1) await turn();
    if (folders.size + missing.size >= mostFolders) return { folders, truncated: true };
    if (located === undefined || located.status === 'outside') continue;
    add(located.path);
    if (located.status === 'present' && located.real !== located.path) add(located.real);
  }
  return { folders, truncated: false };
}

function statOf(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    // One that may not be looked into cannot be watched either.
    return undefined;
  }
}

/** Tiles of one texture look alike, so that a new one is of interest where another is. */
const masked = (name: string): string => name.replaceAll(/\d{4}|<UDIM>/g, '#');
