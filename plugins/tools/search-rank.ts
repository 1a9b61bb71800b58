/** Order of search hits: the exact name first, then names by how well they fit. Pure; cheap, since a word may hit all. */
import type { SearchText } from './search-index.ts';

export interface Query {
  /** The whole query, trimmed, in lower case. */
  readonly phrase: string;
  readonly words: readonly string[];
}

export interface Ranked<T extends { readonly name: string }> {
  readonly item: T;
  /** 0 the exact name, 1 a name or action that starts with the query or is it, 2 a name that contains it, 3 the rest. */
  readonly tier: number;
  readonly score: number;
}

/** Words weigh more in the name than in the description, and more as a whole word or its start than inside one. */
export function rank<T extends SearchText>(item: T, { phrase, words }: Query): Ranked<T> {
  const name = item.name.toLowerCase();
  const description = item.description.toLowerCase();
  let score = 0;
  for (const word of words) score += weight(name, word) * 4 + weight(description, word);
  // Between equals the shorter name is the closer one.
  return { item, tier: tierOf(name, phrase), score: score - name.length / 1000 };
}

/** The first `limit` items in order, without sorting the others. */
export function best<T extends { readonly name: string }>(ranked: readonly Ranked<T>[], limit: number): T[] {
  const top: Ranked<T>[] = [];
  for (const each of ranked) {
    const last = top[limit - 1];
    if (last !== undefined && compare(each, last) >= 0) continue;
    let at = Math.min(top.length, limit - 1);
    for (; at > 0 && compare(each, top[at - 1] as Ranked<T>) < 0; at -= 1) top[at] = top[at - 1] as Ranked<T>;
    top[at] = each;
  }
  return top.map(each => each.item);
}

function compare<T extends { readonly name: string }>(a: Ranked<T>, b: Ranked<T>): number {
  return a.tier - b.tier || b.score - a.score || (a.item.name < b.item.name ? -1 : 1);
}

function tierOf(name: string, phrase: string): number {
  if (name === phrase) return 0;
  if (phrase === '' || !name.includes(phrase)) return 3;
  return name.startsWith(phrase) || name.endsWith(`__${phrase}`) ? 1 : 2;
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
