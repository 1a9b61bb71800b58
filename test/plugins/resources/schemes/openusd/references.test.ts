import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referencesOf } from '../../../../../plugins/resources/schemes/openusd/references.ts';
import { readJson } from '../../support.ts';
import { entriesOf, folderOf, served } from './support.ts';

const writtenIn = async (text: string) => (await referencesOf(text, 100)).references.map(each => each.written);

test.each([
  ['a comment', '# @a@\n@b@', ['b']],
  ['a comment at the end', '@b@ # @a@', ['b']],
  ['strings of both quotes', `"@a@" '@a@' @b@`, ['b']],
  ['an escaped quote', '"\\"@a@" @b@', ['b']],
  ['an escaped backslash before the quote', '"\\\\" @b@', ['b']],
  ['triple quotes over lines', '"""\n@a@ " \\""" @a@\n""" @b@', ['b']],
  ['triple single quotes', "'''@a@ ' ''' @b@", ['b']],
  ['a string that is not closed ends with its line', '"@a@\n@b@', ['b']],
  ['a triple string that is not closed', '@b@ """ @a@', ['b']],
  ['three marks around a path with a mark', '@@@x@y.usda@@@ @b@', ['x@y.usda', 'b']],
  ['three marks, escaped', '@@@x\\@@@y@@@', ['x@@@y']],
  ['three marks that are not closed', '@b@ @@@a', ['b']],
  ['one mark that is not closed', '@a\n@b@', ['b']],
  ['an empty path', '@@ @b@', ['b']],
  ['numbers with letters', 'x = [1e5, 2.5E-3] @b@', ['b']],
  ['a carriage return', '@a@\r\n@b@\r\n', ['a', 'b']],
])('asset paths of usda text: %s', async (_name, text, expected) => {
  expect(await writtenIn(text)).toEqual(expected);
});

test('arcs by the word before the equals sign', async () => {
  const text = `( subLayers = [@a@] ) def "X" ( prepend references = [@b@, @c@</C>] delete payload = @d@ ) {
    asset[] inputs:files = [@e@]  asset x.timeSamples = { 1: @f@, 2: @g@ } }`;
  const { references } = await referencesOf(text, 100);
  expect(references.map(each => `${each.arc} ${each.written}`)).toEqual([
    'sublayer a',
    'reference b',
    'reference c',
    'payload d',
    'asset e',
    'asset f',
    'asset g',
  ]);
});

test('cycles end, of files and of linked names; depth and number are bounded and the manifest says so', async () => {
  const files: Record<string, string> = { 'a.usda': '(subLayers = [@a.usda@, @b.usda@, @deep/0.usda@])' };
  files['b.usda'] = '(subLayers = [@a.usda@, @./b.usda@])';
  for (let n = 0; n < 100; n += 1) files[`deep/${n}.usda`] = `(subLayers = [@${n + 1}.usda@])`;
  const root = await folderOf(files);
  const { wire } = await served({ project_root: root, stage: 'a.usda' });
  const manifest = await readJson(wire, 'openusd://layers');
  expect(manifest.truncated).toBe(true);
  expect(manifest.count).toBeGreaterThan(50);
  expect(manifest.count).toBeLessThan(100);
  expect((await entriesOf(wire, 'layers')).map(each => each.name)).not.toContain('a.usda');
});

test('a layer of 16 MB and more is scanned in pieces that let others run', async () => {
  const numbers = `point3f[] points = [${'(1.25, -2.5e-3, 3), '.repeat(800_000)}]\n`;
  const root = await folderOf({ 'a.usda': '' });
  const text = `#usda 1.0\ndef "A" ( references = @first.usda@ ) {\n${numbers}asset x = @mid.png@\n${numbers}asset y = @late.png@ }`;
  await writeFile(join(root, 'a.usda'), text);
  const { wire } = await served({ project_root: root, stage: 'a.usda' });
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const layers = await readJson(wire, 'openusd://layers');
  clearInterval(timer);
  expect(layers).toMatchObject({ count: 1, truncated: true });
  expect(longest).toBeLessThan(1000);
  expect((await entriesOf(wire, 'assets')).map(each => each.name)).toEqual(['mid.png']);
  if (process.env.SVC_TEST_SHOW) console.log(`longest stretch ${longest.toFixed(1)} ms`);
}, 30_000);

test('10,000 references to files that are not there: listed, missing, quickly', async () => {
  const names = Array.from({ length: 12_000 }, (_, n) => `@t/${n}.png@`).join(', ');
  const root = await folderOf({ 'a.usda': `asset[] x = [${names}]` });
  const { wire } = await served({ project_root: root, stage: 'a.usda' });
  expect(await readJson(wire, 'openusd://assets')).toMatchObject({ count: 10_000, truncated: true });
}, 30_000);
