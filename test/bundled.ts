/** Programs of tests that run this repository's source: bundled once per content, for tsx reads a thousand files at each start. */
import { fileURLToPath } from 'node:url';
import { threadEntry } from '../schemas/thread-entry.ts';

/** Path of a script for plain `node`, made of `source` (relative to the package root). */
export async function bundled(source: string): Promise<string> {
  const name = source.replace(/\.ts$/, '').replaceAll('/', '-');
  return fileURLToPath(await threadEntry(name, source));
}
