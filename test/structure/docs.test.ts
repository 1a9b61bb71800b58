import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents } from '../../cli/docs-text.ts';
import { errorTable, packageRoot } from '../../kernel/index.ts';
import { relaySettings, serverSettings, tunnelSettings } from '../../plugins/index.ts';
import { suggestedFixes } from '../../plugins/skills/packages/rejection.ts';
import { requirementById } from '../spec/requirements.ts';
import { sources } from './sources.ts';

const texts = await documents();

test.each([...texts.keys()])('%s is what `npm run docs` writes', async file => {
  expect(await readFile(join(packageRoot, file), 'utf8')).toBe(texts.get(file));
});

test('schemas/README.md: every option and only options stand in the option table', async () => {
  const schemas = [await serverSettings(), await relaySettings(), await tunnelSettings()];
  const options = new Set(schemas.flatMap(each => Object.keys(each.properties)));
  const reference = texts.get('schemas/README.md') ?? '';
  const section = reference.slice(reference.indexOf('## Options'), reference.indexOf('## Errors'));
  const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(each => each[1]);
  expect(named.sort()).toEqual([...options].sort());
});

test('schemas/README.md: every row of the error table and only those stand in the error section', () => {
  const reference = texts.get('schemas/README.md') ?? '';
  const section = reference.slice(reference.indexOf('## Errors'), reference.indexOf('## Events'));
  const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(each => each[1]);
  expect(named.sort()).toEqual([...errorTable.keys()].sort());
});

test('errors: every message is a sentence without a code of its own, with a fitting status', () => {
  for (const [code, row] of errorTable) {
    expect(row.http, code).toBeGreaterThanOrEqual(400);
    expect(row.http, code).toBeLessThan(600);
    expect(row.template.length, code).toBeGreaterThan(5);
    expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/);
  }
});

test('skills/README.md: every reason for refusing a skill stands in the table, and no other', async () => {
  const guide = await readFile(join(packageRoot, 'skills', 'README.md'), 'utf8');
  const section = guide.slice(guide.indexOf('## When a skill is refused'));
  const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(each => each[1]);
  expect(named.sort()).toEqual(Object.keys(suggestedFixes).sort());
});

test('plugins/README.md: the plugin of another package is the one that is tested', async () => {
  const guide = await readFile(join(packageRoot, 'plugins', 'README.md'), 'utf8');
  const fixture = await readFile(join(packageRoot, 'test', 'fixtures', 'outside-plugin', 'index.js'), 'utf8');
  expect(/```js\n([\s\S]*?)```/.exec(guide)?.[1]).toBe(fixture);
});

test('README.md is a first page: at most 10 KB', async () => {
  expect((await readFile(join(packageRoot, 'README.md'))).length).toBeLessThanOrEqual(10_240);
});

test('what a comment cites as shape:<name> stands in test/spec/requirements, and nothing cites a document that is not here', () => {
  const texts = sources('schemas', 'kernel', 'plugins', 'cli', 'test');
  const cited = texts.flatMap(({ text }) => [...text.matchAll(/\bshape:[a-z-]+/g)].map(each => each[0]));
  expect([...new Set(cited)].filter(id => !requirementById.has(id) && id !== 'shape:')).toEqual([]);
  const elsewhere = new RegExp(
    `\\b(${['CON', 'TRACT'].join('')}|${['DES', 'IGN'].join('')} \\d|${['SP', 'EC'].join('')}\\.md)`,
  );
  expect(texts.filter(({ text }) => elsewhere.test(text)).map(each => each.path)).toEqual([]);
});
