/** An index whose hits are ranked: reads the query, scores, ranks, cuts the page. */
import type { RankedIndex, RankedInput, SearchShape } from '../api.ts';
import { emptyLexicon, type Lexicon } from '../lexicon/lexicon.ts';
import { browse } from './browse.ts';
import { doubtOf } from './doubt.ts';
import { createExpander } from './expansion.ts';
import { filterOf, type ItemFilter } from './filter.ts';
import { readHints } from './hints.ts';
import { createInvertedIndex, type Indexed } from './inverted-index.ts';
import { readQuery } from './query.ts';
import { mergeRankings, type RankInput, type Ranking, rank, toHit } from './ranking.ts';
import { createScorer } from './scorer.ts';

const limits = { page: 25, most: 100, alternatives: 8 };

type Paged = Pick<RankInput<unknown>, 'most' | 'listed'>;

/** `lexicon` is asked for at the first search. */
export function createRankedIndex<T, F extends string>(
  shape: SearchShape<T, F>,
  lexicon: () => Lexicon = () => emptyLexicon,
): RankedIndex<T> {
  const index = createInvertedIndex<T>(shape as SearchShape<T>);
  let reader: { words: Lexicon; scorer: ReturnType<typeof createScorer> } | undefined;

  const open = () => {
    const words = lexicon();
    return { words, scorer: createScorer(index, createExpander(index.dictionary, words)) };
  };

  type Filter = ItemFilter<Indexed<T>> | undefined;
  const rankOne = (text: string, input: RankedInput, filter: Filter, paged: Paged): Ranking<T> => {
    reader ??= open();
    const { words, scorer } = reader;
    const query = readQuery(text, index.hosts.keys(), words);
    const hints = readHints(index.shape, input);
    if (query.terms.length === 0) return browse(index, query, hints, filter, paged.most);
    const strict = input.mode === 'exact';
    return rank(index, { query, scores: scorer.score(query, strict), filter, strict, hints, ...paged });
  };

  return {
    get size() {
      return index.size;
    },
    put: index.put,
    remove: index.remove,
    search(input, also) {
      const filter = filterOf<Indexed<T>>(input, also && (({ item }) => also(item)));
      const limit = Math.min(wholeOf(input.limit) || limits.page, limits.most);
      const offset = wholeOf(input.offset);
      const texts = [input.query ?? '', ...(input.or_queries ?? []).slice(0, limits.alternatives)];
      const asked = [...new Set(texts.map(text => text.trim()).filter(Boolean))];
      const paged = { most: offset + limit, listed: asked.length > 1 };
      const rankings = (asked.length > 0 ? asked : ['']).map(text => rankOne(text, input, filter, paged));
      const { total, best } = mergeRankings(rankings);
      const least = input.min_score;
      const kept = least === undefined ? best : best.filter(each => each.score >= least);
      const hits = kept.slice(offset, offset + limit).map((each, at) => toHit(index, each, offset + at + 1));
      const doubt = doubtOf(input.query ?? '', best[0]?.score ?? 0);
      return { total: least === undefined ? total : kept.length, hits, ...(doubt && { doubt }) };
    },
  };
}

const wholeOf = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
