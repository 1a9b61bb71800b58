/** Which words stand for a word or phrase, with how far each is trusted. Pure; made once from the rows. */
import { letterMask } from './edit-distance.ts';
import { stem } from './stems.ts';
import { synonymRows } from './synonym-rows.ts';
import { fieldSynonymRows } from './synonym-rows-field.ts';
import { moreSynonymRows } from './synonym-rows-more.ts';
import { plainSynonymRows } from './synonym-rows-plain.ts';

export interface Sense {
  readonly word: string;
  readonly weight: number;
}

const weights = { same: 0.72, near: 0.4, back: 0.34 };
const none: readonly Sense[] = [];

/** Senses by stem of a word, or by a phrase with spaces. */
const table = new Map<string, Map<string, number>>();
/** Phrases by their first word. */
export const phraseHeads = new Map<string, string[][]>();

const keyOf = (word: string): string => (word.includes(' ') ? word : stem(word));

function learn(from: string, to: string, weight: number): void {
  if (from === to || to.includes(' ')) return;
  const key = keyOf(from);
  if (key === stem(to)) return;
  const senses = table.get(key) ?? new Map<string, number>();
  table.set(key, senses);
  senses.set(to, Math.max(senses.get(to) ?? 0, weight));
}

const rows = `${synonymRows}${moreSynonymRows}${fieldSynonymRows}${plainSynonymRows}`.trim();

for (const row of rows.split('\n')) {
  const [same = [], near = []] = row.split(';').map(part =>
    part
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map(word => word.replaceAll('_', ' ')),
  );
  for (const word of same) {
    for (const other of same) learn(word, other, weights.same);
    for (const other of near) learn(word, other, weights.near);
    if (word.includes(' ')) addPhrase(word);
  }
  for (const word of near) for (const other of same) learn(word, other, weights.back);
}

function addPhrase(phrase: string): void {
  const words = phrase.split(' ');
  const [head = ''] = words;
  const known = phraseHeads.get(stem(head)) ?? [];
  if (!known.some(each => each.join(' ') === phrase)) known.push(words);
  phraseHeads.set(
    stem(head),
    known.sort((a, b) => b.length - a.length),
  );
}

const senses = new Map<string, readonly Sense[]>(
  [...table].map(([key, found]) => [key, [...found].map(([word, weight]) => ({ word, weight }))]),
);

/** Other words for a word or phrase. */
export const sensesOf = (word: string): readonly Sense[] => senses.get(keyOf(word)) ?? none;

/** Every single word that the table knows, as written, with its letters. */
export const knownWords: readonly { readonly text: string; readonly mask: number }[] = [
  ...new Set(rows.split(/[\s;_]+/).filter(word => word.length >= 4)),
].map(text => ({ text, mask: letterMask(text) }));

/** The longest phrase that begins at `from`, word forms aside. */
export function phraseAt(words: readonly string[], from: number): { phrase: string; length: number } | undefined {
  const head = words[from];
  if (head === undefined) return undefined;
  const found = phraseHeads
    .get(stem(head))
    ?.find(phrase => phrase.every((word, at) => stem(word) === stem(words[from + at] ?? '')));
  return found && { phrase: found.join(' '), length: found.length };
}
