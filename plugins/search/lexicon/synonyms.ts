/** Which words stand for a word or phrase, with how far each is trusted. Pure; made once from the rows. */
import { letterMask } from '../engine/edit-distance.ts';
import { stem } from '../engine/stems.ts';
import type { SynonymRow } from './rows.ts';

export interface Sense {
  readonly word: string;
  readonly weight: number;
}

export type Synonyms = ReturnType<typeof createSynonyms>;

const weights = { same: 0.72, near: 0.4, back: 0.34 };
const none: readonly Sense[] = [];
const keyOf = (word: string): string => (word.includes(' ') ? word : stem(word));

export function createSynonyms(rows: readonly SynonymRow[]) {
  /** Senses by stem of a word, or by a phrase with spaces. */
  const table = new Map<string, Map<string, number>>();
  /** Phrases by the stem of their first word, the longest first. */
  const phrases = new Map<string, string[][]>();
  const single = new Set<string>();

  const learn = (from: string, to: string, weight: number): void => {
    const key = keyOf(from);
    if (from === to || to.includes(' ') || key === stem(to)) return;
    const senses = table.get(key) ?? new Map<string, number>();
    table.set(key, senses);
    senses.set(to, Math.max(senses.get(to) ?? 0, weight));
  };

  for (const { same, near } of rows) {
    for (const word of same) {
      for (const other of same) learn(word, other, weights.same);
      for (const other of near) learn(word, other, weights.near);
      const parts = word.split(' ');
      const head = stem(parts[0] ?? '');
      if (parts.length > 1) phrases.set(head, [...(phrases.get(head) ?? []), parts]);
    }
    for (const word of near) for (const other of same) learn(word, other, weights.back);
    for (const word of [...same, ...near].flatMap(each => each.split(' '))) if (word.length >= 4) single.add(word);
  }
  for (const found of phrases.values()) found.sort((a, b) => b.length - a.length);
  const senses = new Map<string, readonly Sense[]>(
    [...table].map(([key, found]) => [key, [...found].map(([word, weight]) => ({ word, weight }))]),
  );

  return {
    /** Other words for a word or phrase. */
    sensesOf: (word: string): readonly Sense[] => senses.get(keyOf(word)) ?? none,
    /** Every single word that the rows have, as written, with its letters. */
    knownWords: [...single].map(text => ({ text, mask: letterMask(text) })),
    /**
     * The longest phrase that begins at `from`, word forms aside, and where its words stand: between them may be words
     * that say nothing, and before a particle others too.
     */
    phraseAt(words: readonly string[], from: number): { phrase: string; places: number[] } | undefined {
      const head = words[from];
      if (head === undefined) return undefined;
      for (const phrase of phrases.get(stem(head)) ?? []) {
        const places = placesOf(phrase, words, from);
        if (places) return { phrase: phrase.join(' '), places };
      }
      return undefined;
    },
  };
}

/** Words that follow their verb at a distance: `turn the music down`. */
const particles = new Set('up down off out back away apart together over in'.split(' '));
const farthest = 4;

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
