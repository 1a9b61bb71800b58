/** How well a query and the name of a tool explain each other. Pure. */
import type { Indexed } from './inverted-index.ts';
import type { Query } from './query.ts';
import type { ScoredTerm } from './scorer.ts';
import { nameParts } from './tokens.ts';

const share = { both: 230, covered: 150, whole: 180, namedInside: 400 };

/** Points for a name: how much of it the query explains, and how much of the query it does. */
export function createNameFit(
  query: Query,
  terms: readonly ScoredTerm[],
): (entry: Pick<Indexed<unknown>, 'name' | 'parts'>) => number {
  /** Per word of the index: the weight it has for each term. */
  const weights = new Map<string, [term: number, weight: number][]>();
  terms.forEach(({ expansions }, term) => {
    for (const { word, weight } of expansions) {
      const known = weights.get(word.text);
      if (known) known.push([term, weight]);
      else weights.set(word.text, [[term, weight]]);
    }
  });
  const value = terms.reduce((sum, each) => sum + each.value, 0) || 1;
  const phrase = nameParts(query.phrase).join('');
  const words = new Set(query.words.length > 1 ? query.words : []);
  const found = new Float32Array(terms.length);

  return ({ name, parts }) => {
    if (parts.length === 0) return 0;
    found.fill(0);
    let explained = 0;
    for (const part of parts) {
      let best = 0;
      for (const [term, weight] of weights.get(part) ?? []) {
        if (weight > best) best = weight;
        if (weight > (found[term] as number)) found[term] = weight;
      }
      explained += best;
    }
    const covered = terms.reduce((sum, each, at) => sum + each.value * (found[at] as number), 0) / value;
    const whole = phrase === parts.join('') ? share.whole : 0;
    const inside = words.has(name) && /[^\p{L}\p{N}]/u.test(name) ? share.namedInside : 0;
    return (share.both * explained * covered) / parts.length + share.covered * covered + whole + inside;
  };
}
