/** Records without a query to rank them by, in the order of their slugs; and texts without words, looked for by a scan. */
import type { RecordFilter } from './filter.ts';
import type { Hints } from './hints.ts';
import type { IndexedRecord, InvertedIndex } from './inverted-index.ts';
import type { Ranked, Ranking } from './ranking.ts';
import { createTop } from './top-records.ts';

export interface Browser {
  scan(words: readonly string[], hints: Hints, filter: RecordFilter | undefined, most: number): Ranking;
}

export function createBrowser(index: InvertedIndex): Browser {
  return {
    scan(words, hints, filter, most) {
      const wanted = words.filter(word => word.length > 0);
      const fits = (entry: IndexedRecord): boolean =>
        (!filter || filter(entry)) && wanted.every(word => entry.text.includes(word));
      const plain = (entry: IndexedRecord, score: number): Ranked => {
        const { id, record } = entry;
        return { id, score, slug: record.tool_slug, reasons: () => (hints.ofSkill(entry) ? ['skill_hint'] : []) };
      };
      const top = createTop(most);
      let total = 0;
      for (let id = 0; id < index.capacity; id += 1) {
        const entry = index.at(id);
        if (!entry || !fits(entry)) continue;
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
