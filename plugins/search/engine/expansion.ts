/** Words of the index that a term may mean, with how far each counts. */
import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Sense } from '../lexicon/synonyms.ts';
import type { Dictionary, Word } from './dictionary.ts';
import { bitCount, editDistance, letterMask, slipsOf } from './edit-distance.ts';
import { isTelling } from './needles.ts';
import { meaningsOf, type Term } from './query.ts';
import { stem } from './stems.ts';

export interface Expansion {
  readonly word: Word;
  readonly weight: number;
  /** Whether the word has the letters of the term; a synonym or a slip has not. */
  readonly lexical: boolean;
}

const weights = {
  whole: 1,
  stem: 0.94,
  besideWhole: 0.55,
  slip: 0.72,
  secondSlip: 0.5,
  corrected: 0.6,
  short: 0.7,
  joined: 0.9,
};

export type Expander = ReturnType<typeof createExpander>;

const mostKept = 2000;

export function createExpander(dictionary: Dictionary, lexicon: Lexicon) {
  const kept = new Map<string, readonly Expansion[]>();
  let version = -1;

  return {
    /** Whether the index has the word, or another form of it. */
    has: (text: string): boolean => dictionary.get(text) !== undefined || dictionary.ofStem(stem(text)).length > 0,
    /** Best first is not promised; a word stands once. Senses count `trust` of what they are worth: 0 to 1. */
    of(term: Term, strict: boolean, trust: number): readonly Expansion[] {
      if (version !== dictionary.version || kept.size >= mostKept) kept.clear();
      version = dictionary.version;
      const key = `${strict ? '=' : trust} ${term.text} ${term.joined.join(' ')} ${term.senses.map(each => each.word).join(' ')}`;
      const found = kept.get(key) ?? expand(dictionary, lexicon, term, strict, trust);
      kept.set(key, found);
      return found;
    },
  };
}

function expand(
  dictionary: Dictionary,
  lexicon: Lexicon,
  { text, senses, joined }: Term,
  strict: boolean,
  trust: number,
): readonly Expansion[] {
  const found = new Map<Word, Expansion>();
  const add = (word: Word, weight: number, lexical: boolean): void => {
    const known = found.get(word);
    if (!known || known.weight < weight) found.set(word, { word, weight, lexical: lexical || !!known?.lexical });
  };

  const whole = dictionary.get(text);
  if (whole) add(whole, weights.whole, true);
  if (isTelling(text) && !text.includes(' ')) {
    for (const word of dictionary.holding(text)) add(word, partWeight(text, word.text), true);
  }
  if (strict) return [...found.values()];

  for (const word of dictionary.ofStem(stem(text))) add(word, weights.stem, true);

  const mean = (list: readonly Sense[], factor: number): void => {
    for (const sense of list) {
      const same = dictionary.get(sense.word);
      if (same) add(same, sense.weight * factor, false);
      for (const word of dictionary.ofStem(stem(sense.word))) add(word, sense.weight * factor, false);
    }
  };
  mean(senses, trust);
  for (const word of joined) mean([{ word, weight: weights.joined }], 1);
  const known =
    text.includes(' ') ||
    (lexicon.sensesOf(text).length > 0 && found.size > 0) ||
    [...found.values()].some(each => each.weight >= 0.6);
  if (!known) forgive(dictionary, lexicon, text, add, mean);
  return [...found.values()];
}

/** A word that nobody knows may be a slip of the keyboard. */
function forgive(
  dictionary: Dictionary,
  lexicon: Lexicon,
  text: string,
  add: (word: Word, weight: number, lexical: boolean) => void,
  mean: (list: readonly Sense[], factor: number) => void,
): void {
  const slips = slipsOf(text.length);
  if (slips === 0) return;
  const like = dictionary.like(text, slips);
  const least = Math.min(...like.map(each => each.distance));
  for (const { word, distance } of like) {
    if (distance > least + 1) continue;
    const first = word.text[0] === text[0] ? 1 : 0.8;
    add(word, (distance <= 1 ? weights.slip : weights.secondSlip) * first, false);
  }
  if (like.length === 0) {
    for (const word of dictionary.abbreviated(text)) add(word, weights.short * (text.length / word.text.length), false);
  }
  let nearest = slips + 1;
  let meant: string[] = [];
  const mask = letterMask(text);
  for (const { text: word, mask: letters } of lexicon.knownWords) {
    if (Math.abs(word.length - text.length) > slips) continue;
    if (bitCount(letters ^ mask) > 2 * slips) continue;
    const distance = editDistance(text, word, slips);
    if (distance < nearest) meant = [];
    if (distance <= slips && distance <= nearest) {
      nearest = distance;
      meant.push(word);
    }
  }
  for (const word of meant.slice(0, 4)) {
    mean([{ word, weight: 1 }], weights.slip);
    mean(meaningsOf(word, lexicon), weights.corrected);
  }
}

/** A word that begins with the term counts more than one that holds it somewhere; the longer the rest, the less. */
function partWeight(text: string, word: string): number {
  const share = text.length / word.length;
  if (word.startsWith(text)) return text.length >= 3 ? 0.2 + 0.6 * share : 0.1 + 0.3 * share;
  return word.endsWith(text) && text.length >= 4 ? 0.1 + 0.55 * share : 0.05 + 0.3 * share;
}
