/** The licence texts of the packages that a bundle contains. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/** Text of THIRD-PARTY.txt for the bundled `inputs` (paths relative to `root`). */
export async function licences(inputs: readonly string[], root: string): Promise<string> {
  const folders = [...new Set(inputs.flatMap(input => packageFolder(input) ?? []))].map(each => resolve(root, each));
  const packages = await Promise.all(folders.map(describe));
  const unique = new Map(packages.map(each => [each.title, each]));
  const sorted = [...unique.values()].sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const head = `The files in this folder contain code of ${sorted.length} packages:\n`;
  return `${[head, ...sorted.map(each => `${each.title}\n${'-'.repeat(each.title.length)}\n${each.text}`)].join('\n\n')}\n`;
}

/** `a/node_modules/@x/y/lib/z.js` -> `a/node_modules/@x/y`. */
function packageFolder(input: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

async function describe(folder: string): Promise<{ title: string; text: string }> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see text'})`;
  const file = (await readdir(folder)).find(each => /^(licen[cs]e|copying)/i.test(each));
  const text = file ? (await readFile(join(folder, file), 'utf8')).trim() : `Licence: ${manifest.license}`;
  return { title, text };
}
