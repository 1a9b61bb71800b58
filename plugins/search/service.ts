/** The engine's door: indexes for the rooms that search. They share one lexicon. */
import type { SearchService } from './api.ts';
import { facetsOf, filterOf } from './engine/filter.ts';
import { createRankedIndex } from './engine/ranked-index.ts';
import { createSubstringIndex } from './engine/substrings.ts';
import { bestOf } from './engine/top.ts';
import type { Lexicon } from './lexicon/lexicon.ts';

export function createSearchService(lexicon: () => Lexicon): SearchService {
  return {
    ranked: (shape, options) => createRankedIndex(shape, options?.lexicon ? lexicon : undefined),
    substrings: createSubstringIndex,
    filter(shape, wanted) {
      const { admits } = filterOf(wanted, undefined) ?? {};
      return admits ? item => admits(facetsOf(shape, item)) : () => true;
    },
    best: bestOf,
  };
}
