/** Finds the rules that test sources cite, by reading their text. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface Citation {
  id: string;
  /** Path relative to the scanned folder. */
  file: string;
}

const wrapper = /\bverifies\(\s*\[([^\]]*)\]/g;
const literal = /['"`]([^'"`]+)['"`]/g;
const tag = /\[spec:([^\]]+)\]/g;

/** Ids cited by one source: `verifies([...])` and `[spec:id]` or `[spec:a spec:b]` in a title. */
export function citedIds(source: string): string[] {
  const wrapped = [...source.matchAll(wrapper)].flatMap(([, list = '']) =>
    [...list.matchAll(literal)].map(([, id = '']) => id),
  );
  const tagged = [...source.matchAll(tag)].flatMap(([, list = '']) =>
    list.split(/[\s,]+/).map(id => id.replace(/^spec:/, '')),
  );
  return [...wrapped, ...tagged].filter(Boolean);
}

/** Every citation in the `*.test.ts` files below `folder`. */
export async function findCitations(folder: string): Promise<Citation[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && entry.name.endsWith('.test.ts'));
  const found = await Promise.all(
    files.map(async entry => {
      const path = join(entry.parentPath, entry.name);
      const file = relative(folder, path);
      return citedIds(await readFile(path, 'utf8')).map(id => ({ id, file }));
    }),
  );
  return found.flat();
}
