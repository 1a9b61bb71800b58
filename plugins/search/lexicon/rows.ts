/** Reads lexicon files: one row a line, as ../README.md says. Pure. */

/** Words that stand for each other, and words near them; a phrase has spaces. */
export interface SynonymRow {
  readonly same: readonly string[];
  readonly near: readonly string[];
}

/** English words, and what other languages call them; a phrase keeps its underscores. */
export interface LanguageRow {
  readonly english: readonly string[];
  readonly foreign: readonly string[];
}

export interface LexiconRows {
  readonly synonyms: readonly SynonymRow[];
  readonly languages: readonly LanguageRow[];
}

const mostOfRow = 4000;

/** Throws an error that names the file and the line of what it cannot read. */
export function readRows(text: string, file: string): LexiconRows {
  const synonyms: SynonymRow[] = [];
  const languages: LanguageRow[] = [];
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const row = line.replace(/(^|\s)#.*$/, '').trim();
    if (row === '') continue;
    const problem = problemOf(row);
    if (problem !== undefined) throw new Error(`${file}:${at + 1}: ${problem}`);
    const [left = [], right = []] = row.split(/\s[;:](?:\s|$)/).map(side => side.split(/\s+/).filter(Boolean));
    if (/\s:\s/.test(row)) languages.push({ english: left, foreign: right });
    else synonyms.push({ same: left.map(spaced), near: right.map(spaced) });
  }
  return { synonyms, languages };
}

const spaced = (word: string): string => word.replaceAll('_', ' ').toLowerCase();

function problemOf(row: string): string | undefined {
  if (row.length > mostOfRow) return `a row has at most ${mostOfRow} characters`;
  if (/[\p{Cc}\uFFFD]/u.test(row.replaceAll('\t', ' '))) return 'the row is no text in UTF-8';
  const marks = row.match(/(?:^|\s)[;:](?=\s|$)/g) ?? [];
  if (marks.length > 1) return 'a row has one ";" or one ":", between spaces';
  const [left = '', right = ''] = row.split(/(?:^|\s)[;:](?:\s|$)/).map(side => side.trim());
  const foreign = marks[0]?.trim() === ':';
  if (left === '') return 'there is no word before the mark';
  if (marks.length === 1 && right === '') return `there is no word behind "${marks[0]?.trim()}"`;
  if (marks.length === 0 && !left.includes(' ')) {
    return `"${left.slice(0, 40)}" stands alone: a row is "same words ; near words" or "english : other languages"`;
  }
  const odd = row
    .split(/\s+/)
    .find(word => word.length > 1 && !/^[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}_'’.+-]*$/u.test(word));
  if (odd !== undefined) return `"${odd.slice(0, 40)}" is no word`;
  const strange = foreign ? left.split(/\s+/).find(word => !/^[a-z0-9_]+$/i.test(word)) : undefined;
  return strange === undefined ? undefined : `"${strange.slice(0, 40)}" is not English: English words stand before ":"`;
}
