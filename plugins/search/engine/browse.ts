/** Items without a query to rank them by, in their own order; and texts without words, looked for by a scan. */
import type { MatchReason } from '../api.ts';
import type { ItemFilter } from './filter.ts';
import type { Hints } from './hints.ts';
import type { Indexed, InvertedIndex } from './inverted-index.ts';
import type { Query } from './query.ts';
import { type Ranking, scoreOf } from './ranking.ts';
import { createTop } from './top.ts';

export function browse<T>(
  index: InvertedIndex<T>,
  { phrase, words }: Query,
  hints: Hints<T>,
  filter: ItemFilter<Indexed<T>> | undefined,
  most: number,
): Ranking<T> {
  const first = new Set(phrase === '' ? [] : index.named(phrase));
  const reasonsOf = (entry: Indexed<T>): MatchReason[] => (hints.ofSkill(entry) ? ['skill_hint'] : []);
  const top = createTop(most);
  const all: number[] = [];
  for (const id of index.holding(words)) {
    const entry = index.at(id) as Indexed<T>;
    if (filter && !filter.admits(entry)) continue;
    all.push(id);
    const hinted = hints.given ? Math.round((hints.factor(entry) - 1) * 100) : 0;
    top.offer(id, first.has(entry) ? scoreOf.exactName : hinted, entry.order);
  }
  return { total: all.length, all, best: top.sorted().map(each => ({ ...each, reasonsOf })) };
}
