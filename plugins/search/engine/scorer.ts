/** BM25F over the records that any term of a query reaches. A term counts once, by the best of its words. */
import type { Expander, Expansion } from './expansion.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Needle } from './needles.ts';
import type { Query, Term } from './query.ts';

const saturation = 1.2;
/** What a term can add at most, about: a name and a summary that both have the word. */
export const fullTerm = 0.88;
/** Words of the index that count for how common a term is. */
const telling = 0.6;

const direct = { words: 4, trust: 0.5 };

/** What a needle is worth in the name, and elsewhere. */
const needleShare = { name: 0.88, elsewhere: 0.5 };

/** What is asked of the index. */
type Scored = Pick<InvertedIndex<unknown>, 'size' | 'capacity' | 'at' | 'holding'>;

export interface ScoredTerm {
  readonly term: Term;
  readonly expansions: readonly Expansion[];
  /** Rarity times weight. */
  readonly value: number;
}

export interface Scores {
  /** Numbers of the records reached, in no order; only the first `count` are meant. */
  readonly reached: Int32Array;
  readonly count: number;
  /** By number of the record. */
  readonly totals: Float32Array;
  /** How many terms and needles reached the record. */
  readonly matched: Uint8Array;
  readonly terms: readonly ScoredTerm[];
  /** The total of a record that fits in every way. */
  readonly ideal: number;
  /** How many terms and needles any record has. */
  readonly asked: number;
}

export function createScorer(index: Scored, expander: Expander) {
  let totals = new Float32Array(0);
  let best = new Float32Array(0);
  let matched = new Uint8Array(0);
  let reached = new Int32Array(0);
  let ofTerm = new Int32Array(0);
  let count = 0;

  const clear = (): void => {
    if (totals.length < index.capacity) {
      const capacity = Math.ceil(index.capacity * 1.25) + 64;
      totals = new Float32Array(capacity);
      best = new Float32Array(capacity);
      matched = new Uint8Array(capacity);
      reached = new Int32Array(capacity);
      ofTerm = new Int32Array(capacity);
    } else {
      for (let at = 0; at < count; at += 1) {
        const id = reached[at] as number;
        totals[id] = 0;
        matched[id] = 0;
      }
    }
    count = 0;
  };

  const addTerm = ({ expansions, value }: ScoredTerm): void => {
    let hit = 0;
    for (const { word, weight } of expansions) {
      const { ids, weights, size } = word.postings;
      for (let at = 0; at < size; at += 1) {
        const id = ids[at] as number;
        const tf = weights[at] as number;
        const worth = (weight * tf) / (tf + saturation);
        const known = best[id] as number;
        if (known === 0) ofTerm[hit++] = id;
        if (worth > known) best[id] = worth;
      }
    }
    for (let at = 0; at < hit; at += 1) {
      const id = ofTerm[at] as number;
      if (matched[id] === 0) reached[count++] = id;
      matched[id] = (matched[id] as number) + 1;
      totals[id] = (totals[id] as number) + value * (best[id] as number);
      best[id] = 0;
    }
  };

  /** Records that have the text somewhere, though maybe in no word; returns the value. */
  const addNeedle = ({ text, weight }: Needle): number => {
    const found = index.holding([text]);
    const value = weight * rarity(found.length, index.size);
    for (const id of found) {
      if (matched[id] === 0) reached[count++] = id;
      matched[id] = (matched[id] as number) + 1;
      // A letter in a name is as much by chance as elsewhere.
      const inName = text.length > 1 && index.at(id)?.name.includes(text);
      totals[id] = (totals[id] as number) + value * (inName ? needleShare.name : needleShare.elsewhere);
    }
    return found.length > 0 ? value : 0;
  };

  return {
    /** Valid until the next call. */
    score(query: Query, strict: boolean): Scores {
      clear();
      const trust = trustOf(query, expander);
      const terms = query.terms.map(term => {
        const expansions = expander.of(term, strict, trust);
        return { term, expansions, value: term.weight * rarity(commonness(expansions), index.size) };
      });
      for (const term of terms) addTerm(term);
      const sought = query.needles.map(addNeedle).filter(value => value > 0);
      const own = terms.reduce((sum, each) => sum + (each.expansions.length > 0 ? each.value : 0), 0);
      const ideal = sought.reduce((sum, each) => sum + each, own) * fullTerm;
      const asked = sought.length + terms.filter(each => each.expansions.length > 0).length;
      return { reached, count, totals, matched, terms, ideal, asked };
    },
  };
}

/**
 * How far other words than those of the query are trusted. A short query whose every word the index has says what it
 * wants in the words of the tools: what is only near must not outrank it.
 */
function trustOf({ telling: words }: Query, expander: Expander): number {
  const isDirect = words.length <= direct.words && words.every(expander.has);
  return isDirect ? direct.trust : 1;
}

/** Records that a term as a concept is in, about: its synonyms make it as common as they are. */
function commonness(expansions: readonly Expansion[]): number {
  let strong = 0;
  let all = 0;
  for (const { word, weight } of expansions) {
    all = Math.max(all, word.postings.size);
    if (weight >= telling) strong = Math.max(strong, word.postings.size);
  }
  return strong || all;
}

/** Inverse document frequency. */
function rarity(commonness: number, size: number): number {
  const found = Math.min(commonness, size);
  return Math.log(1 + (size - found + 0.5) / (found + 0.5));
}
