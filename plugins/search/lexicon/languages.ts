/** English words for words of other languages, and words inside texts without spaces. Pure; made once from the rows. */
import { fold, hasHangul, hasIdeographs } from '../engine/tokens.ts';
import type { LanguageRow } from './rows.ts';
import { isStopWord } from './stop-words.ts';

export type Languages = ReturnType<typeof createLanguages>;

const none: readonly string[] = [];

const endings =
  /(?:ierungen|ierung|ieren|ierend|iere|iert|izzazione|izzare|izacion|izacao|iendo|ando|endo|ation|ationen|acion|acao|azione|ungen|ung|eren|ern|end|ende|ados|adas|ado|ada|ato|ata|ati|ate|iren|ez|ons|ent|ant|ait|are|ere|ire|ar|er|ir|re|en|em|es|et|st|te|os|as|is|n|t|e|s|o|a|i)$/;

/** A Latin word without its ending; undefined for one too short to lose it. */
function root(word: string): string | undefined {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return undefined;
  const bare = word.replace(endings, '');
  return bare.length >= 4 ? bare : undefined;
}

const isCyrillic = (word: string): boolean => /[а-я]/.test(word);
const headOf = (word: string): string => (isCyrillic(word) ? word.slice(0, 2) : (root(word) ?? word));

type Words = Map<string, Set<string>>;

interface Tables {
  readonly exact: Words;
  readonly byRoot: Words;
  /** Cyrillic entries by their first two letters: they are beginnings of words. */
  readonly beginnings: ReadonlyMap<string, readonly string[]>;
  /** Phrases by the key of their first word, without articles and prepositions. */
  readonly phrases: ReadonlyMap<string, readonly { parts: readonly string[]; english: readonly string[] }[]>;
  readonly longest: number;
}

/** `isEnglish`: an English word of the field is no form of a word of another language: `plane` is not `plano`. */
export function createLanguages(rows: readonly LanguageRow[], isEnglish: (word: string) => boolean) {
  const { exact, byRoot, beginnings, phrases, longest } = learn(rows);

  const ofBeginning = (word: string): Set<string> | undefined => {
    const found = isCyrillic(word)
      ? beginnings.get(word.slice(0, 2))?.find(each => word.startsWith(each) && word.length - each.length < 9)
      : undefined;
    return found === undefined ? undefined : exact.get(found);
  };

  const ofRoot = (word: string): Set<string> | undefined => {
    if (isEnglish(word)) return undefined;
    const bare = root(word) ?? (word.length >= 4 ? word : undefined);
    return bare === undefined ? undefined : byRoot.get(bare);
  };

  /** English words for a folded word of another language; none for an unknown one. */
  const translationsOf = (word: string): readonly string[] => {
    const found = exact.get(word) ?? exact.get(word.replace(/([aou])e/g, '$1')) ?? ofBeginning(word) ?? ofRoot(word);
    return found ? [...found] : none;
  };

  return {
    translationsOf,
    /** English words for two words written as one: only what a row joins, no forms, or the first would speak for both. */
    joinedTranslationsOf: (pair: string): readonly string[] =>
      [...(exact.get(pair) ?? none)].filter(word => !word.includes('_')),
    /** The longest phrase of another language that begins at `from`; the words stand without those that say nothing. */
    foreignPhraseAt(
      words: readonly string[],
      from: number,
    ): { english: readonly string[]; length: number } | undefined {
      const is = (part: string, word: string | undefined): boolean =>
        word !== undefined &&
        (part === word || (isCyrillic(part) ? word.startsWith(part) : (root(part) ?? part) === (root(word) ?? word)));
      const found = (phrases.get(headOf(words[from] ?? '')) ?? []).filter(({ parts }) =>
        parts.every((part, at) => is(part, words[from + at])),
      );
      const length = Math.max(0, ...found.map(each => each.parts.length));
      if (length === 0) return undefined;
      return { length, english: found.filter(each => each.parts.length === length).flatMap(each => each.english) };
    },
    /** German compounds: `Texturkoordinaten` holds two words that are known. */
    compoundOf(word: string): readonly string[] {
      if (word.length < 8 || !/^[a-z]+$/.test(word)) return none;
      for (let at = word.length - 3; at >= 4; at -= 1) {
        const [head, tail] = [word.slice(0, at), word.slice(at)];
        const known = [head, head.replace(/(s|n|en|e)$/, '')].find(each => exact.has(each));
        if (known !== undefined && translationsOf(tail).length > 0) return [known, tail];
      }
      return none;
    },
    /** Words of a run without spaces, longest known first; what is between them stays together. */
    segmentsOf: (run: string): readonly string[] =>
      hasIdeographs(run) || hasHangul(run) ? cut(run, exact, longest) : [run],
  };
}

function learn(rows: readonly LanguageRow[]): Tables {
  const [exact, byRoot]: [Words, Words] = [new Map(), new Map()];
  const beginnings = new Map<string, string[]>();
  const phrases = new Map<string, { parts: string[]; english: readonly string[] }[]>();
  let longest = 1;

  for (const { english, foreign } of rows) {
    const put = (table: Words, key: string): void => {
      table.set(key, new Set([...(table.get(key) ?? none), ...english]));
    };
    for (const raw of foreign) {
      const written = fold(raw);
      const word = written.replaceAll('_', '');
      const parts = written.split('_').filter(part => part !== '' && !isStopWord(part));
      const [first] = parts;
      if (first !== undefined && parts.length > 1) {
        phrases.set(headOf(first), [...(phrases.get(headOf(first)) ?? []), { parts, english }]);
      }
      put(exact, word);
      longest = Math.max(longest, word.length);
      for (const form of japaneseForms(word)) put(exact, form);
      const bare = root(word);
      if (bare !== undefined) put(byRoot, bare);
      const head = word.slice(0, 2);
      if (isCyrillic(word)) beginnings.set(head, [...(beginnings.get(head) ?? []), word]);
    }
  }
  for (const words of beginnings.values()) words.sort((a, b) => b.length - a.length);
  return { exact, byRoot, beginnings, phrases, longest };
}

function japaneseForms(word: string): string[] {
  // Japanese words change at their end: what stands before the last kana finds them all.
  const stems = word.length >= 3 && /[\u3400-\u9fff].*[\u3041-\u309f]$/.test(word) ? [word.slice(0, -1)] : [];
  // Of a short one, which one character would stand for, the forms that commands and wishes take.
  const short = /^[\u3400-\u9fff][うくぐすつぶむる]$/.test(word) ? [...'しりっいきみんちえれけせめ'] : [];
  return [...stems, ...short.map(kana => `${word[0]}${kana}`)];
}

function cut(run: string, exact: Words, longest: number): string[] {
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
