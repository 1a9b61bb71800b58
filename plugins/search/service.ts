/** The engine's door: indexes for the rooms that search. Those that want the lexicon share one. */
import type { SearchService } from './api.ts';
import { facetsOf, filterOf } from './engine/filter.ts';
import { createRankedIndex } from './engine/ranked-index.ts';
import { createSubstringIndex } from './engine/substrings.ts';
import { bestOf } from './engine/top.ts';
import type { Lexicon } from './lexicon/lexicon.ts';

/** `openLexicon` reads what a studio adds, and fails if that is broken; our own rows are read at the first search. */
export function createSearchService(openLexicon: () => () => Lexicon): SearchService {
  let lexicon: (() => Lexicon) | undefined;
  return {
    ranked(shape, options) {
      if (!options?.lexicon) return createRankedIndex(shape);
      lexicon ??= openLexicon();
      return createRankedIndex(shape, lexicon);
    },
    substrings: createSubstringIndex,
    filter(shape, wanted) {
      const { admits } = filterOf(wanted, undefined) ?? {};
      return admits ? item => admits(facetsOf(shape, item)) : () => true;
    },
    best: bestOf,
  };
}
