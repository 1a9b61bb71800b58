/** Records without a query to rank them by, in the order of their slugs; and texts without words, looked for by a scan. */
import type { MatchReason } from '../api.ts';
import type { RecordFilter } from './filter.ts';
import type { Hints } from './hints.ts';
import type { IndexedRecord, InvertedIndex } from './inverted-index.ts';
import type { Query } from './query.ts';
import { type Ranked, type Ranking, scoreOf } from './ranking.ts';
import { createTop } from './top-records.ts';

export interface Browser {
  scan(query: Query, hints: Hints, filter: RecordFilter | undefined, most: number): Ranking;
}

export function createBrowser(index: InvertedIndex): Browser {
  return {
    scan({ phrase, words }, hints, filter, most) {
      const first = new Set(phrase === '' ? [] : index.named(phrase));
      const reasonsOf = (entry: IndexedRecord): MatchReason[] => (hints.ofSkill(entry) ? ['skill_hint'] : []);
      const plain = (entry: IndexedRecord, score: number): Ranked => {
        const { id, record } = entry;
        return { id, score, slug: record.tool_slug, reasonsOf };
      };
      const top = createTop(most);
      const all: number[] = [];
      for (const id of index.holding(words)) {
        const entry = index.at(id) as IndexedRecord;
        if (filter && !filter.admits(entry)) continue;
        all.push(id);
        const hinted = hints.given ? Math.round((hints.factor(entry) - 1) * 100) : 0;
        const score = first.has(entry) ? scoreOf.exactName : hinted;
        top.offer(entry.id, score, entry.record.tool_slug);
      }
      return {
        ...{ total: all.length, all },
        best: top.sorted().map(({ id, score }) => plain(index.at(id) as IndexedRecord, score)),
      };
    },
  };
}
