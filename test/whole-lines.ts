import { readFile } from 'node:fs/promises';

/** What the lines of a file of JSON lines say; none without the file. A last line without its end is being written yet. */
export async function wholeLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as T);
}
