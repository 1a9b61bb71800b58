/** The lexicon's files: our own beside this one, and those of a studio. Read once. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, packageRoot } from '../../../kernel/index.ts';
import { searchErrors } from '../errors.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { type LexiconRows, readRows } from './rows.ts';

/** In the sources and in the package alike. */
const own = join(packageRoot, 'plugins', 'search', 'lexicon');

/** Rows of a file, or of every `.txt` file of a folder; throws an error that names the file and the line. */
export function rowsAt(path: string): LexiconRows[] {
  if (!statSync(path).isDirectory()) return [rowsOf(path)];
  const names = readdirSync(path).filter(name => name.endsWith('.txt'));
  if (names.length === 0) throw new Error(`${path}: the folder has no .txt file`);
  return names.sort().map(name => rowsOf(join(path, name)));
}

const rowsOf = (file: string): LexiconRows => readRows(readFileSync(file, 'utf8'), file);

/** A lexicon of our rows and then `further` ones, made when it is first asked for. */
export function lexiconWith(further: readonly LexiconRows[]): () => Lexicon {
  let made: Lexicon | undefined;
  return () => {
    made ??= createLexicon([...rowsAt(own), ...further]);
    return made;
  };
}

/** The rows of a setting; what is wrong with them is SVC_SEARCH_LEXICON_INVALID. */
export function studioRows(path: string | null): readonly LexiconRows[] {
  if (path === null) return [];
  try {
    return rowsAt(path);
  } catch (error) {
    throw searchErrors.LEXICON_INVALID({ reason: messageOf(error) }, error);
  }
}
