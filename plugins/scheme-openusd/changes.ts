/** What differs between two stocks of a project: which URIs read differently, and whether the list is another one. */
import { families, scheme } from './families.ts';
import type { Inventory, Item } from './inventory.ts';

export interface Changes {
  /** URIs whose contents changed, manifests among them. */
  updated: string[];
  /** URIs that are no more. */
  removed: string[];
  /** Files appeared or disappeared, or are listed as something else. */
  list: boolean;
}

export function changesBetween(before: Inventory, now: Inventory): Changes {
  const changes: Changes = { updated: [], removed: [], list: false };
  for (const [uri, item] of now.byUri) {
    const old = before.byUri.get(uri);
    if (old && contentsKey(old) !== contentsKey(item)) changes.updated.push(uri);
    changes.list ||= !old || (entryKey(old) !== entryKey(item) && listKey(old) !== listKey(item));
  }
  for (const uri of before.byUri.keys()) if (!now.byUri.has(uri)) changes.removed.push(uri);
  changes.list ||= changes.removed.length > 0;
  for (const { family } of families) {
    const [old, mine] = [before.families[family], now.families[family]];
    const same =
      old.truncated === mine.truncated &&
      old.items.length === mine.items.length &&
      mine.items.every((item, at) => entryKey(item) === entryKey(old.items[at] as Item));
    if (!same) changes.updated.push(`${scheme}://${family}`);
  }
  return changes;
}

/** Equal for files that were not written to. */
function contentsKey(item: Item): string {
  const { located } = item;
  if (located?.status !== 'present') return entryKey(item);
  const { ino, mtimeMs, size } = located.stats;
  return `${located.real} ${ino} ${mtimeMs} ${size}`;
}

const keys = new WeakMap<Item, string>();

/** Made once: a project may have thousands. */
function entryKey(item: Item): string {
  const key = keys.get(item) ?? JSON.stringify(item.entry);
  keys.set(item, key);
  return key;
}

/** A file that merely grows is listed as before. */
const listKey = ({ entry, located }: Item): string =>
  JSON.stringify([entry.name, entry.mimeType, entry.description, entry.path, located?.status]);
