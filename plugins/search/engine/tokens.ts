/** Words of a text as the index sees them: folded to lower case without accents, identifiers split. Pure. */

const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** Lower case, full-width forms made narrow, accents of letters taken off; Hangul and kana stay as they are. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]+/g, run => run.normalize('NFD'))
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøđðłþıς]/g, letter => latin[letter] ?? letter);
}

/** A text as it is compared letter by letter: folded, every run of blanks one space. */
export const spell = (text: string): string => spellLines([text]);

/** Texts spelled, a line each. */
export function spellLines(texts: readonly string[]): string {
  const lines = texts.map(text => (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text)).join('\n');
  const folded = fold(lines);
  // Folding makes blanks of some signs.
  return isAscii(lines) ? folded : folded.replace(/[^\S\n]+/g, ' ');
}

/** Words of a folded text: runs of letters and digits. */
export const runsOf = (folded: string): string[] =>
  folded.match(isAscii(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Runs of letters and digits with their case; signs that stand for letters, such as ㎏, are those letters. */
export const rawRunsOf = (text: string): string[] =>
  (isAscii(text) ? text.match(/[A-Za-z0-9]+/g) : text.normalize('NFKC').match(/[\p{L}\p{N}\p{M}]+/gu)) ?? [];

/** Parts of an identifier by case and digits: `createUVMap2` is create, uv, map, 2. The word itself is not among them. */
export function partsOf(run: string): string[] {
  if (!/[\p{Ll}\p{N}][\p{Lu}]|[\p{Lu}]{2}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u.test(run)) return [];
  const parts = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}]+|\p{N}+|\p{Lu}/gu) ?? [];
  return parts.length > 1 ? parts.map(fold) : [];
}

/** A word and the ones inside it; the first is the whole. */
const known = new Map<string, readonly string[]>();
const mostKnown = 20_000;

function wordsOfRun(run: string): readonly string[] {
  const found = known.get(run);
  if (found) return found;
  const whole = fold(run);
  const words = [...new Set([whole, ...partsOf(run), ...(hasIdeographs(whole) ? pairsOf(whole) : [])])].filter(Boolean);
  // Backends name the texts: what is remembered of them is bounded.
  if (known.size >= mostKnown) known.clear();
  known.set(run, words);
  return words;
}

/** Every word to index: whole runs, parts of identifiers, pairs of ideographs. */
export function wordsOf(text: string): string[] {
  const runs = rawRunsOf(text);
  const words: string[] = [];
  for (const run of runs) for (const word of wordsOfRun(run)) words.push(word);
  return words;
}

/** Parts of a name, in order, without the wholes: `createUVMap` and `create_uv_map` are the same. */
export function nameParts(name: string): string[] {
  return rawRunsOf(name).flatMap(run => {
    const parts = partsOf(run);
    return parts.length > 0 ? parts : [fold(run)];
  });
}

/** Scripts that are written without spaces. */
export const hasIdeographs = (text: string): boolean => /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/.test(text);
export const hasHangul = (text: string): boolean => /[\uac00-\ud7af]/.test(text);

/** Pairs of neighbouring characters. */
export function pairsOf(run: string): string[] {
  const letters = [...run];
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
