/**
 * esbuild plugin: the command-line library does at a start what the start needs. It loads its parts when they are used: its
 * own `require` calls run all of them every time, spinners, globs and templates too, which is more time than all else that
 * `svc-server status` does. And it sorts the names of its commands without the collation data, which takes 5 ms to read.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** As TypeScript writes an import to CommonJS: with a number, so that no other name of the file is the same. */
const imports = /^(?:const|var) (\w+_\d+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm;

const collations = /([\w.]+)\.localeCompare\(([\w.]+)\)/g;

/** Its comparisons by code unit. */
export const withoutCollation = (text: string): string => text.replace(collations, '($1 < $2 ? -1 : Number($1 > $2))');

/** A module that TypeScript made, with each `require` where its name is used. */
export function withLazyImports(text: string): string {
  const names = [...text.matchAll(imports)].map(([, name = '']) => name);
  if (names.length === 0) return text;
  const used = new RegExp(`(?<![\\w.])(?:${names.join('|')})\\b`, 'g');
  const lines = text.split('\n').map(line => {
    const definition = line.replace(imports, 'const $1 = () => $2;');
    return definition === line ? line.replace(used, '($&())') : definition;
  });
  return lines.join('\n');
}

export const lazyPlugin: Plugin = {
  name: 'lazy',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, async ({ path }) => ({
      contents: withLazyImports(withoutCollation(await readFile(path, 'utf8'))),
      loader: 'js',
    }));
  },
};
