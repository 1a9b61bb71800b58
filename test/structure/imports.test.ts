import { expect, test } from 'vitest';
import { folderOf, pluginFolders, roomOf, type Source, sources } from './sources.ts';

const all = sources('schemas', 'kernel', 'plugins', 'cli');
const folders = pluginFolders();
const room = (path: string): string => path.split('/')[0] ?? '';
/** The room of a file below plugins/: the nearest folder whose index.ts defines a plugin; nothing for the composition root. */
const plugin = (path: string): string | undefined => roomOf(path, folders);
const doors = ['kernel/index.ts', 'kernel/light.ts'];
/** A worker's code is bundled alone and loaded often: it takes the port, or what checks schemas, and nothing else of the kernel. */
const workerDoors = [...doors, 'kernel/port.ts', 'kernel/schema.ts'];

function breaches(of: Source): string[] {
  return of.imports
    .filter(({ target, typeOnly }) => target !== undefined && !allowed(of.path, target, typeOnly))
    .map(each => `${of.path} imports ${each.target}${each.typeOnly ? ' (types)' : ''}`);
}

function allowed(from: string, to: string, typeOnly: boolean): boolean {
  if (to.startsWith('..')) return false;
  const [source, target] = [room(from), room(to)];
  const owner = plugin(from);
  switch (source) {
    case 'schemas':
      return target === 'schemas';
    case 'kernel':
      return target === 'kernel' || target === 'schemas';
    case 'cli':
      if (target === 'kernel') return doors.includes(to);
      // The build puts parts of the plugins into dist/ in another form.
      if (/^cli\/build(-\w+)?\.ts$/.test(from)) return true;
      return ['cli', 'schemas'].includes(target) || to === 'plugins/index.ts' || /^plugins\/.+\/api\.ts$/.test(to);
    case 'plugins':
      if (target === 'kernel') return (from.endsWith('-worker.ts') ? workerDoors : doors).includes(to);
      if (target === 'schemas') return true;
      // The composition root, plugins/*.ts, knows every plugin.
      if (owner === undefined) return target === 'plugins';
      return plugin(to) === owner || (typeOnly && /^plugins\/.+\/([^/]*-)?api\.ts$/.test(to));
    default:
      return false;
  }
}

test('import boundaries: schemas <- kernel <- plugins <- cli, a plugin knows another by the types of its api.ts', () => {
  expect(all.length).toBeGreaterThan(30);
  expect(all.flatMap(breaches)).toEqual([]);
});

test('import boundaries: nothing imports a skill or a test', () => {
  const wrong = all.flatMap(each =>
    each.imports
      .filter(({ target }) => target !== undefined && ['skills', 'test', 'dist'].includes(room(target)))
      .map(({ target }) => `${each.path} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('the tests of the kernel know nothing of plugins/: they pass without it', () => {
  const wrong = sources('test/kernel').flatMap(each =>
    each.imports
      .filter(({ target }) => target !== undefined && !/^(kernel|schemas|test\/(kernel|structure))\//.test(target))
      .map(({ target }) => `${each.path} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('skills import no code of the server, types of "svc" at most', () => {
  const wrong = sources('skills').flatMap(each =>
    each.imports
      .filter(({ specifier, typeOnly, target }) =>
        target === undefined ? /^svc(\/|$)/.test(specifier) && !typeOnly : room(target) !== 'skills',
      )
      .map(({ specifier }) => `${each.path} -> ${specifier}`),
  );
  expect(wrong).toEqual([]);
});

test('imports make no circle: those of types, at run time and into threads included', () => {
  const graph = new Map(all.map(each => [each.path, each.imports.flatMap(one => one.target ?? [])]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(circles).toEqual([]);
});

test('inner rooms stand in the order that the header of their room declares, each knows only those before it', () => {
  const declared = sources('plugins').flatMap(({ path, text }) => {
    const [, names] = /^ \* Inner rooms, each knows only those before it: ([a-z, ]+)\.$/m.exec(text) ?? [];
    return names === undefined ? [] : [{ folder: folderOf(path), order: names.split(', ') }];
  });
  expect(declared.map(each => each.folder)).toContain('plugins/skills');
  const wrong = declared.flatMap(({ folder, order }) => {
    const inner = (path: string): string | undefined => path.slice(folder.length + 1).split('/')[0];
    return all
      .filter(each => each.path.startsWith(`${folder}/`) && order.includes(inner(each.path) ?? ''))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => target?.startsWith(`${folder}/`) && target !== `${folder}/errors.ts`)
          .filter(({ target = '' }) => {
            const rank = order.indexOf(inner(target) ?? '');
            return rank < 0 || rank > order.indexOf(inner(path) ?? '');
          })
          .map(({ target }) => `${path} -> ${target}`),
      );
  });
  expect(wrong).toEqual([]);
});

test('only cli/ and the composition root read process.env', () => {
  const readers = sources('schemas', 'kernel', 'plugins').filter(each => /\bprocess\.env\b/.test(code(each.text)));
  expect(readers.map(each => each.path).filter(path => path !== 'plugins/index.ts')).toEqual([]);
});

test('logic does not know Fastify: in a plugin only wiring files import it as a value', () => {
  const wrong = sources('plugins')
    .filter(each => each.imports.some(({ specifier, typeOnly }) => specifier === 'fastify' && !typeOnly))
    .map(each => each.path);
  expect(wrong).toEqual([]);
});

/** Text without comments. */
const code = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
