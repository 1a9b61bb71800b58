/** What is known of words beyond their letters: synonyms and other languages. Pure; made once from the rows. */
import { createLanguages, type Languages } from './languages.ts';
import type { LexiconRows } from './rows.ts';
import { createSynonyms, type Synonyms } from './synonyms.ts';

export type Lexicon = Synonyms & Languages;

/** Later rows add to earlier ones. */
export function createLexicon(parts: readonly LexiconRows[]): Lexicon {
  const synonyms = createSynonyms(parts.flatMap(each => each.synonyms));
  const rows = parts.flatMap(each => each.languages);
  return { ...synonyms, ...createLanguages(rows, word => synonyms.sensesOf(word).length > 0) };
}

/** For a search that takes words as they stand. */
export const emptyLexicon: Lexicon = createLexicon([]);
