/** Search over capability records: reads the query, scores, ranks, cuts the page. Knows no backend. */
import type { CapabilityRecord, SearchAnswer, SearchInput } from '../api.ts';
import { createBrowser } from './browse.ts';
import { createExpander } from './expansion.ts';
import { filterOf, type RecordFilter } from './filter.ts';
import { readHints } from './hints.ts';
import { createInvertedIndex, type InvertedIndex } from './inverted-index.ts';
import { readQuery } from './query.ts';
import { mergeRankings, type RankInput, type Ranking, rank, toHit } from './ranking.ts';
import { createScorer } from './scorer.ts';

export const searchLimits = { page: 25, most: 100, alternatives: 8 };

type Paged = Pick<RankInput, 'most' | 'listed'>;

export interface RecordSearch {
  readonly index: InvertedIndex;
  put(record: CapabilityRecord): void;
  remove(record: CapabilityRecord): void;
  /** `instance_id` is the full id that the input's may be a prefix of. */
  search(input: SearchInput, instance_id?: string): SearchAnswer;
}

export function createRecordSearch(): RecordSearch {
  const index = createInvertedIndex();
  const scorer = createScorer(index, createExpander(index.dictionary));
  const browser = createBrowser(index);

  const rankOne = (text: string, input: SearchInput, filter: RecordFilter | undefined, paged: Paged): Ranking => {
    const query = readQuery(text, index.hosts.keys());
    const hints = readHints(input.skill_hint, input.scene_hint);
    if (query.terms.length === 0) return browser.scan(query, hints, filter, paged.most);
    const strict = input.mode === 'exact';
    return rank(index, { query, scores: scorer.score(query, strict), filter, strict, hints, ...paged });
  };

  return {
    index,
    put: index.put,
    remove: index.remove,
    search(input, instance_id) {
      const filter = filterOf(input, instance_id);
      const limit = Math.min(wholeOf(input.limit) || searchLimits.page, searchLimits.most);
      const offset = wholeOf(input.offset);
      const texts = [input.query ?? '', ...(input.or_queries ?? []).slice(0, searchLimits.alternatives)];
      const asked = [...new Set(texts.map(text => text.trim()).filter(Boolean))];
      const paged = { most: offset + limit, listed: asked.length > 1 };
      const rankings = (asked.length > 0 ? asked : ['']).map(text => rankOne(text, input, filter, paged));
      const { total, best } = mergeRankings(rankings);
      const least = input.min_score;
      const kept = least === undefined ? best : best.filter(each => each.score >= least);
      const hits = kept.slice(offset, offset + limit).map((each, at) => toHit(index, each, offset + at + 1));
      return { total: least === undefined ? total : kept.length, hits };
    },
  };
}

const wholeOf = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
