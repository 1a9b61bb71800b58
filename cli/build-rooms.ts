/**
 * esbuild plugin: the rooms that a list of plugins loads become one chunk, and those of both lists another. Thirty imports
 * of a file each are a good part of a start; a plugin that is switched off costs its bytes there.
 */
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Plugin } from 'esbuild';

const roomImport = /import\('(\.\/[^']+\/index\.ts)'\)/g;
const root = 'plugins/index.ts';

/** Rooms by the chunk they go to, from the text of the composition root: its two lists, the instance's first. */
export function roomsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const [, instance = '', gateway = ''] = text.split(/^export const \w+Plugins = \[/m);
  const named = (list: string) => new Set([...list.matchAll(roomImport)].map(([, room = '']) => room));
  const lists = { instance: named(instance), gateway: named(gateway) };
  const both = [...lists.instance].filter(room => lists.gateway.has(room));
  const only = (list: ReadonlySet<string>) => [...list].filter(room => !both.includes(room));
  return new Map([
    ['instance-plugins', only(lists.instance)],
    ['gateway-plugins', only(lists.gateway)],
    ['shared-plugins', both],
  ]);
}

export const roomsPlugin: Plugin = {
  name: 'rooms',
  async setup(build) {
    const rooms = roomsOf(await readFile(root, 'utf8'));
    const chunkOf = new Map([...rooms].flatMap(([chunk, names]) => names.map(name => [name, chunk])));
    build.onResolve({ filter: /\/index\.ts$/ }, ({ kind, path, importer, resolveDir }) => {
      const chunk = importer.split(sep).join('/').endsWith(`/${root}`) && chunkOf.get(path);
      return kind === 'dynamic-import' && chunk
        ? { path: chunk, namespace: 'rooms', pluginData: resolveDir }
        : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'rooms' }, ({ path, pluginData }) => ({
      contents: (rooms.get(path) ?? []).map(room => `export * from '${room}';`).join('\n'),
      resolveDir: String(pluginData),
      loader: 'js',
    }));
  },
};
