/**
 * Parts of a query that the words of the index cannot promise to find, such as `x_y`, `c++` or one letter: they are
 * looked for in the texts of the records as they stand. Pure.
 */
import { isStopWord } from '../lexicon/stop-words.ts';
import { hasHangul, hasIdeographs, runsOf } from './tokens.ts';

export interface Needle {
  /** As `spell` makes it. */
  readonly text: string;
  readonly weight: number;
}

/** Each costs a look at every record. */
const most = 4;
const weights = { whole: 0.5, letter: 0.02, word: 1 };

/** Whether every record with this inside a word is found by it; one letter of an alphabet is in too many. */
export const isTelling = (run: string): boolean => run.length > 1 || hasIdeographs(run) || hasHangul(run);

/** Whether a word says what is wanted, beside others that do not. */
export const isContent = (run: string): boolean => (run.length > 1 || hasIdeographs(run)) && !isStopWord(run);

/** Needles of a query. It is `covered` when a record that contains it whole is found by its words. */
export function needlesOf(phrase: string, words: readonly string[], covered: boolean): Needle[] {
  const odd = words.map(trimmed).filter(isOdd);
  const found = odd.map(text => ({ text, weight: weights.word }));
  if (!covered && phrase !== '' && !odd.includes(phrase)) {
    // Records with the letter alone must stay before those that merely contain it.
    found.unshift({ text: phrase, weight: phrase.length > 1 ? weights.whole : weights.letter });
  }
  return found.slice(0, most);
}

const trimmed = (word: string): string => word.replace(/^[([{<"'“”‘’«¿¡]+|[)\]}>"'“”‘’».,;:!?…]+$/g, '');

/** A word with letters, but none of whose runs says anything: `x_y_z`, `c++`, `on/off`; `it's` is none. */
function isOdd(word: string): boolean {
  if (word.length < 2) return false;
  const runs = runsOf(word);
  if (runs.length === 0 || runs.some(isContent)) return false;
  return runsOf(word.replace(/['’]/g, '')).join('') !== word.replace(/['’]/g, '');
}
