/** English words for words of other languages, and words inside texts without spaces. Pure; made once. */

import { fold, hasHangul, hasIdeographs } from '../engine/tokens.ts';
import { editingRows } from './language-editing.ts';
import { formRows } from './language-forms.ts';
import { gameRows } from './language-games.ts';
import { lookRows } from './language-look.ts';
import { motionRows } from './language-motion.ts';
import { nounRows } from './language-nouns.ts';
import { pictureRows } from './language-pictures.ts';
import { plainRows } from './language-plain.ts';
import { verbRows } from './language-rows.ts';
import { shapeRows } from './language-shapes.ts';
import { isStopWord } from './stop-words.ts';
import { sensesOf } from './synonyms.ts';

const none: readonly string[] = [];
const exact = new Map<string, Set<string>>();
const byRoot = new Map<string, Set<string>>();
let longest = 1;

const endings =
  /(?:ierungen|ierung|ieren|ierend|iere|iert|izzazione|izzare|izacion|izacao|iendo|ando|endo|ation|ationen|acion|acao|azione|ungen|ung|eren|ern|end|ende|ados|adas|ado|ada|ato|ata|ati|ate|iren|ez|ons|ent|ant|ait|are|ere|ire|ar|er|ir|re|en|em|es|et|st|te|os|as|is|n|t|e|s|o|a|i)$/;

/** A Latin word without its ending; undefined for one too short to lose it. */
function root(word: string): string | undefined {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return undefined;
  const bare = word.replace(endings, '');
  return bare.length >= 4 ? bare : undefined;
}

const put = (table: Map<string, Set<string>>, key: string, english: readonly string[]): void => {
  const known = table.get(key) ?? new Set();
  for (const word of english) known.add(word);
  table.set(key, known);
};

/** Cyrillic entries by their first two letters: they are beginnings. */
const beginnings = new Map<string, string[]>();

/** Phrases by the key of their first word, without articles and prepositions. */
const phrases = new Map<string, { parts: string[]; english: readonly string[] }[]>();
const headOf = (word: string): string => (/[а-я]/.test(word) ? word.slice(0, 2) : (root(word) ?? word));

const rows = [
  verbRows,
  nounRows,
  shapeRows,
  motionRows,
  lookRows,
  pictureRows,
  editingRows,
  gameRows,
  formRows,
  plainRows,
]
  .join('\n')
  .split('\n')
  .filter(row => row.includes(' : '));

for (const row of rows) {
  const [left = '', right = ''] = row.split(' : ');
  const english = left.trim().split(/\s+/);
  for (const raw of right.trim().split(/\s+/)) {
    const word = fold(raw).replaceAll('_', '');
    if (word === '') continue;
    const parts = fold(raw)
      .split('_')
      .filter(part => part !== '' && !isStopWord(part));
    const [first] = parts;
    if (first !== undefined && parts.length > 1)
      phrases.set(headOf(first), [...(phrases.get(headOf(first)) ?? []), { parts, english }]);
    put(exact, word, english);
    longest = Math.max(longest, word.length);
    // Japanese words change at their end: what stands before the last kana finds them all.
    if (/[\u3400-\u9fff].*[\u3041-\u309f]$/.test(word) && word.length >= 3) put(exact, word.slice(0, -1), english);
    // Of a short one, which one character would stand for, the forms that commands and wishes take.
    if (/^[\u3400-\u9fff][うくぐすつぶむる]$/.test(word))
      for (const kana of 'しりっいきみんちえれけせめ') put(exact, `${word[0]}${kana}`, english);
    const bare = root(word);
    if (bare !== undefined) put(byRoot, bare, english);
    if (/[а-я]/.test(word)) {
      const head = word.slice(0, 2);
      beginnings.set(head, [...(beginnings.get(head) ?? []), word]);
    }
  }
}

for (const words of beginnings.values()) words.sort((a, b) => b.length - a.length);

/** English words for a folded word of another language; none for an unknown one. */
export function translationsOf(word: string): readonly string[] {
  const found = exact.get(word) ?? exact.get(word.replace(/([aou])e/g, '$1')) ?? ofBeginning(word) ?? ofRoot(word);
  return found ? [...found] : none;
}

/** English words for two words written as one: only what a row joins, no forms, or the first would speak for both. */
export const joinedTranslationsOf = (pair: string): readonly string[] =>
  [...(exact.get(pair) ?? none)].filter(word => !word.includes('_'));

/** The longest phrase of another language that begins at `from`; the words stand without those that say nothing. */
export function foreignPhraseAt(
  words: readonly string[],
  from: number,
): { english: string[]; length: number } | undefined {
  const is = (part: string, word: string | undefined): boolean =>
    word !== undefined &&
    (part === word || (/[а-я]/.test(part) ? word.startsWith(part) : (root(part) ?? part) === (root(word) ?? word)));
  const found = (phrases.get(headOf(words[from] ?? '')) ?? []).filter(({ parts }) =>
    parts.every((part, at) => is(part, words[from + at])),
  );
  const length = Math.max(0, ...found.map(each => each.parts.length));
  if (length === 0) return undefined;
  return { length, english: found.filter(each => each.parts.length === length).flatMap(each => each.english) };
}

function ofBeginning(word: string): Set<string> | undefined {
  if (!/[а-я]/.test(word)) return undefined;
  const found = beginnings.get(word.slice(0, 2))?.find(each => word.startsWith(each) && word.length - each.length < 9);
  return found === undefined ? undefined : exact.get(found);
}

function ofRoot(word: string): Set<string> | undefined {
  // An English word of the field is no form of a word of another language: `plane` is not `plano`.
  if (sensesOf(word).length > 0) return undefined;
  const bare = root(word) ?? (word.length >= 4 ? word : undefined);
  return bare === undefined ? undefined : byRoot.get(bare);
}

/** German compounds: `Texturkoordinaten` holds two words that are known. Longest beginning first. */
export function compoundOf(word: string): string[] {
  if (word.length < 8 || !/^[a-z]+$/.test(word)) return [];
  for (let at = word.length - 3; at >= 4; at -= 1) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    if (!exact.has(head) && !exact.has(head.replace(/(s|n|en|e)$/, ''))) continue;
    const known = exact.has(tail) || translationsOf(tail).length > 0;
    if (known) return [exact.has(head) ? head : head.replace(/(s|n|en|e)$/, ''), tail];
  }
  return [];
}

/** Words of a run without spaces, longest known first; what is between them stays together. */
export function segmentsOf(run: string): string[] {
  if (!hasIdeographs(run) && !hasHangul(run)) return [run];
  const segments: string[] = [];
  let rest = '';
  for (let at = 0; at < run.length; ) {
    let length = Math.min(longest, run.length - at);
    while (length > 0 && !exact.has(run.slice(at, at + length))) length -= 1;
    // A lone syllable or kana is more often grammar than a word.
    const lone = length === 1 && run.length > 1 && !/[\u3400-\u9fff]/.test(run[at] as string);
    if (length > 0 && !lone) {
      if (rest !== '') segments.push(rest);
      rest = '';
      segments.push(run.slice(at, at + length));
      at += length;
    } else {
      rest += run[at];
      at += 1;
    }
  }
  if (rest !== '') segments.push(rest);
  return segments;
}
