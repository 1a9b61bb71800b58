/** Records without a query to rank them by, in the order of their slugs; and texts without words, looked for by a scan. */
import type { RecordFilter } from './filter.ts';
import type { Hints } from './hints.ts';
import type { IndexedRecord, InvertedIndex } from './inverted-index.ts';
import type { Ranked, Ranking } from './ranking.ts';
import { createTop } from './top-records.ts';

export interface Browser {
  changed(): void;
  scan(words: readonly string[], hints: Hints, filter: RecordFilter | undefined, most: number): Ranking;
}

export function createBrowser(index: InvertedIndex): Browser {
  let order: IndexedRecord[] | undefined;

  /** Sorted on first use after a change; small indexes only, since a sort of many is a pause. */
  const sorted = (): IndexedRecord[] => {
    order ??= all(index).sort((a, b) => (a.record.tool_slug < b.record.tool_slug ? -1 : 1));
    return order;
  };

  return {
    changed() {
      order = undefined;
    },
    scan(words, hints, filter, most) {
      const wanted = words.filter(word => word.length > 0);
      const fits = (entry: IndexedRecord): boolean =>
        (!filter || filter(entry)) && wanted.every(word => entry.text.includes(word));
      const plain = (entry: IndexedRecord, score: number): Ranked => {
        const { id, record } = entry;
        return { id, score, slug: record.tool_slug, reasons: () => (hints.ofSkill(entry) ? ['skill_hint'] : []) };
      };
      if (!hints.given && index.size <= 20_000) {
        const found = sorted().filter(fits);
        return { total: found.length, best: found.slice(0, most).map(entry => plain(entry, 0)) };
      }
      const top = createTop(most);
      let total = 0;
      for (const entry of all(index)) {
        if (!fits(entry)) continue;
        total += 1;
        top.offer(entry.id, hints.factor(entry) - 1, entry.record.tool_slug);
      }
      return {
        total,
        best: top.sorted().map(({ id, score }) => plain(index.at(id) as IndexedRecord, Math.round(score * 100))),
      };
    },
  };
}

function all(index: InvertedIndex): IndexedRecord[] {
  const found: IndexedRecord[] = [];
  for (let id = 0; id < index.capacity; id += 1) {
    const entry = index.at(id);
    if (entry) found.push(entry);
  }
  return found;
}
