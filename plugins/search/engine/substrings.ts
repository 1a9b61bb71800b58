/**
 * Which items have every part of a query somewhere in their texts, in any case of letters. A dictionary of words is
 * searched instead of every text; the answer is exactly that of a scan.
 */
import type { SubstringIndex } from '../api.ts';
import { createDictionary, type Word } from './dictionary.ts';

interface Entry<T> {
  readonly id: number;
  readonly item: T;
  /** In lower case; a part has no line break, so none reaches from one text into the next. */
  readonly text: string;
  readonly words: readonly Word[];
}

const runsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

export function createSubstringIndex<T>(textsOf: (item: T) => readonly string[]): SubstringIndex<T> {
  const dictionary = createDictionary();
  const entries: (Entry<T> | undefined)[] = [];
  const byItem = new Map<T, Entry<T>>();
  const free: number[] = [];

  const remove = (item: T): void => {
    const found = byItem.get(item);
    if (!found) return;
    byItem.delete(item);
    entries[found.id] = undefined;
    free.push(found.id);
    for (const word of found.words) {
      word.postings.delete(found.id);
      if (word.postings.size === 0) dictionary.release(word);
    }
  };

  return {
    get size() {
      return byItem.size;
    },
    remove,
    put(item) {
      remove(item);
      const id = free.pop() ?? entries.length;
      const text = textsOf(item).join('\n').toLowerCase();
      const words = [...new Set(runsIn(text))].map(run => dictionary.intern(run));
      for (const word of words) word.postings.put(id, 1, 1);
      const entry = { id, item, text, words };
      entries[id] = entry;
      byItem.set(item, entry);
    },
    holding(parts) {
      const lower = parts.map(part => part.toLowerCase());
      if (lower.length === 0) return [...byItem.keys()];
      // A part without signs lies inside one word; of one with signs each run does, and the text decides.
      const runs = [...new Set(lower.flatMap(runsIn))];
      const loose = lower.filter(part => runsIn(part)[0] !== part);
      const had = new Uint32Array(entries.length);
      for (const [at, run] of runs.entries()) {
        for (const { postings } of dictionary.holding(run)) {
          const { ids, size } = postings;
          for (let place = 0; place < size; place += 1)
            if (had[ids[place] as number] === at) had[ids[place] as number] = at + 1;
        }
      }
      const found: T[] = [];
      for (let id = 0; id < had.length; id += 1) {
        const entry = had[id] === runs.length ? entries[id] : undefined;
        if (entry && loose.every(part => entry.text.includes(part))) found.push(entry.item);
      }
      return found;
    },
  };
}
