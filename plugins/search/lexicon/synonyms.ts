/** Which words stand for a word or phrase, with how far each is trusted. Pure; made once from the rows. */
import { letterMask } from '../engine/edit-distance.ts';
import { stem } from '../engine/stems.ts';
import { synonymRows } from './synonym-rows.ts';
import { fieldSynonymRows } from './synonym-rows-field.ts';
import { moreSynonymRows } from './synonym-rows-more.ts';
import { plainSynonymRows } from './synonym-rows-plain.ts';
import { speechSynonymRows } from './synonym-rows-speech.ts';

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

const rows = `${synonymRows}${moreSynonymRows}${fieldSynonymRows}${plainSynonymRows}${speechSynonymRows}`.trim();

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

/** Words that follow their verb at a distance: `turn the music down`. */
const particles = new Set('up down off out back away apart together over in'.split(' '));
const farthest = 4;

/**
 * The longest phrase that begins at `from`, word forms aside, and where its words stand: between them may be words that
 * say nothing, and before a particle others too.
 */
export function phraseAt(words: readonly string[], from: number): { phrase: string; places: number[] } | undefined {
  const head = words[from];
  if (head === undefined) return undefined;
  for (const phrase of phraseHeads.get(stem(head)) ?? []) {
    const places = placesOf(phrase, words, from);
    if (places) return { phrase: phrase.join(' '), places };
  }
  return undefined;
}

function placesOf(phrase: readonly string[], words: readonly string[], from: number): number[] | undefined {
  const places = [from];
  for (const sought of phrase.slice(1)) {
    let at = (places.at(-1) as number) + 1;
    const loose = phrase.length === 2 && particles.has(sought);
    const last = loose ? from + farthest : at + 2;
    while (at < last && stem(words[at] ?? '') !== stem(sought) && (loose || isArticle(words[at]))) at += 1;
    if (stem(words[at] ?? '') !== stem(sought)) return undefined;
    places.push(at);
  }
  return places;
}

const articles = new Set('a an the this that these those it its my me your our them some of'.split(' '));
const isArticle = (word: string | undefined): boolean => word !== undefined && articles.has(word);
