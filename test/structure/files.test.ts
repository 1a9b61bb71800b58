import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { functionsOf, pluginFolders, roomOf, sources } from './sources.ts';

const all = sources('schemas', 'kernel', 'plugins', 'cli');

/** Longest function, nested functions counted for their first and last line alone. */
const longestFunction = 80;
/** Longest factory with all its methods: beyond that it has more than one idea. */
const longestFactory = 230;

test('functions stay under 80 lines of their own, factories under 230 with their methods', () => {
  const long = [...all, ...sources('skills')]
    .flatMap(functionsOf)
    .filter(each => each.own > longestFunction || each.lines > longestFactory)
    .map(each => `${each.at} ${each.own} of ${each.lines}`);
  expect(long).toEqual([]);
});

test('the median of the source files stays under 100 lines', () => {
  const lines = all.map(each => each.lines).sort((a, b) => a - b);
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThan(100);
});

test('test files stay under 400 lines', () => {
  expect(
    sources('test')
      .filter(each => each.lines >= 400)
      .map(each => `${each.path} ${each.lines}`),
  ).toEqual([]);
});

// What needs nothing of the kernel stands in schemas/, whoever uses it, and the doors hand it on.
test('the kernel with its embed/ stays under 2,200 lines', () => {
  const total = sources('kernel').reduce((sum, each) => sum + each.lines, 0);
  expect(total).toBeLessThanOrEqual(2200);
});

test('commands are thin: at most 120 lines each', () => {
  expect(
    sources('cli/commands', 'cli/svc-cli/commands')
      .filter(each => each.lines > 120)
      .map(each => each.path),
  ).toEqual([]);
});

test('files are named in kebab-case for what they own', () => {
  const names = [...all, ...sources('test')].map(each => basename(each.path));
  expect(names.filter(name => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.tsx?$/.test(name))).toEqual([]);
  expect(
    all.map(each => basename(each.path, '.ts')).filter(name => /^(utils?|helpers?|common|.*manager|misc)$/.test(name)),
  ).toEqual([]);
});

test('every source file begins with what it is for', () => {
  const silent = all.filter(each => !/^(#!.*\n)?(\/\*\*|import type|\/\/)/.test(each.text));
  expect(silent.map(each => each.path)).toEqual([]);
  const without = all.filter(each => !/^(#!.*\n)?\/\*\*/.test(each.text));
  expect(without.map(each => each.path)).toEqual([]);
});

test('every file below plugins/ stands in the room of a plugin, and the room bears its name', () => {
  const folders = pluginFolders();
  const homeless = sources('plugins').filter(each => !roomOf(each.path, folders) && each.path.split('/').length > 2);
  expect(homeless.map(each => each.path)).toEqual([]);
  for (const folder of folders) {
    const index = readFileSync(join(packageRoot, folder, 'index.ts'), 'utf8');
    const names = [...index.matchAll(/\bname: '([^']+)'/g)].map(each => each[1] ?? '');
    const own = basename(folder);
    // In a wing the folder is the last word of the name: `scheme-scene` stands in resources/schemes/scene.
    expect(
      names.some(name => name === own || name.endsWith(`-${own}`)),
      `${folder}: ${names}`,
    ).toBe(true);
  }
});

test('plugins/ has about twenty rooms', () => {
  const rooms = readdirSync(join(packageRoot, 'plugins'), { withFileTypes: true }).filter(each => each.isDirectory());
  expect(rooms.length).toBeLessThanOrEqual(27);
});

test('nothing stands at the top that nobody looks at', () => {
  const known =
    /^(\..*|package(-lock)?\.json|tsconfig\.json|biome\.json|vitest\.config\.ts|LICENSE|README\.md|kernel|plugins|skills|cli|schemas|test|dist|node_modules|coverage)$/;
  expect(readdirSync(packageRoot).filter(name => !known.test(name))).toEqual([]);
});

test('no file names a place outside the repository', () => {
  const forbidden = ['..', 'shared'].join('/');
  const texts = [...all, ...sources('test', 'skills')].filter(each => each.text.includes(`${forbidden}/`));
  expect(texts.map(each => each.path)).toEqual([]);
});
