/** Order of search hits: the exact name first, then names by how well they fit. Pure; cheap, since a word may hit all. */
import type { Weighed } from '../search/api.ts';
import type { SearchText } from './search-index.ts';

export interface Query {
  /** The whole query, trimmed, in lower case. */
  readonly phrase: string;
  readonly words: readonly string[];
}

/** Above every score of words. */
const tier = 1e9;

/** Words weigh more in the name than in the description, and more as a whole word or its start than inside one. */
export function rank<T extends SearchText>(item: T, { phrase, words }: Query): Weighed<T> {
  const name = item.name.toLowerCase();
  const description = item.description.toLowerCase();
  let score = 0;
  for (const word of words) score += weight(name, word) * 4 + weight(description, word);
  // Between equals the shorter name is the closer one.
  return { item, score: tiersOf(name, phrase) * tier + score - name.length / 1000, order: item.name };
}

/** 3 the exact name, 2 a name or action that starts with the query or is it, 1 a name that contains it, 0 the rest. */
function tiersOf(name: string, phrase: string): number {
  if (name === phrase) return 3;
  if (phrase === '' || !name.includes(phrase)) return 0;
  return name.startsWith(phrase) || name.endsWith(`__${phrase}`) ? 2 : 1;
}

/** 0 absent, 1 inside a word, 2 the start of one, 3 a whole word. */
function weight(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (inWord(text, at - 1)) return 1;
  return inWord(text, at + word.length) ? 2 : 3;
}

/** Whether a letter or digit stands at `at`; every character beyond ASCII counts as one. */
function inWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}
