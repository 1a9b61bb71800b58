/** What differs between two stocks of a project: which URIs read differently, and whether the list is another one. */
import { setImmediate as turn } from 'node:timers/promises';
import { families, scheme } from './families.ts';
import type { Entry, Inventory, Item } from './inventory.ts';

export interface Changes {
  /** URIs whose contents changed, manifests among them. */
  updated: string[];
  /** URIs that are no more. */
  removed: string[];
  /** Files appeared or disappeared, or are listed as something else. */
  list: boolean;
}

/** Items that are compared before others have a turn. */
const sliceSize = 256;

export async function changesBetween(before: Inventory, now: Inventory): Promise<Changes> {
  const changes: Changes = { updated: [], removed: [], list: false };
  /** True when the manifest has the same entry. */
  const compare = (old: Item | undefined, item: Item): boolean => {
    if (!old) {
      changes.list = true;
      return false;
    }
    const same = sameEntry(old.entry, item.entry);
    if (!sameContents(old, item, same)) changes.updated.push(item.entry.uri);
    changes.list ||= !same && !listedAlike(old, item);
    return same;
  };
  compare(before.stage, now.stage);
  for (const { family } of families) {
    const [old, mine] = [before.families[family], now.families[family]];
    let same = old.truncated === mine.truncated && old.items.length === mine.items.length;
    for (const [at, item] of mine.items.entries()) {
      if (at % sliceSize === sliceSize - 1) await turn();
      const known = before.byUri.get(item.entry.uri);
      if (!compare(known, item) || known !== old.items[at]) same = false;
    }
    if (!same) changes.updated.push(`${scheme}://${family}`);
  }
  for (const uri of before.byUri.keys()) if (!now.byUri.has(uri)) changes.removed.push(uri);
  changes.list ||= changes.removed.length > 0;
  return changes;
}

/** A file that was not written to; what is no file reads as its entry, or as content that never changes. */
function sameContents({ located: old }: Item, { located: now }: Item, sameEntries: boolean): boolean {
  if (old?.status !== 'present' || now?.status !== 'present') return sameEntries;
  const [a, b] = [old.stats, now.stats];
  return old.real === now.real && a.mtimeMs === b.mtimeMs && a.size === b.size && a.ino === b.ino;
}

/** A file that merely grows is listed as before. */
const listedAlike = ({ entry: a, located: old }: Item, { entry: b, located: now }: Item): boolean =>
  sameLabels(a, b) && a.path === b.path && old?.status === now?.status;

const sameLabels = (a: Entry, b: Entry): boolean =>
  a.name === b.name && a.mimeType === b.mimeType && a.description === b.description;

const sameEntry = (a: Entry, b: Entry): boolean =>
  sameLabels(a, b) &&
  a.path === b.path &&
  a.file_ref?.uri === b.file_ref?.uri &&
  a.file_ref?.size_bytes === b.file_ref?.size_bytes &&
  a.metadata.status === b.metadata.status &&
  sameTexts(a.metadata.arcs, b.metadata.arcs) &&
  sameTexts(a.metadata.referenced_by, b.metadata.referenced_by);

const sameTexts = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((each, at) => each === b[at]) : a === b;
