/** The format of lexicon files, the setting that adds some, and that ours keep to it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildApp, definePlugin } from '../../../../kernel/index.ts';
import type { CapabilityRecord } from '../../../../plugins/gateway/index/api.ts';
import { recordShape } from '../../../../plugins/gateway/index/search-shape.ts';
import type { RankedIndex } from '../../../../plugins/search/api.ts';
import { searchPlugin } from '../../../../plugins/search/index.ts';
import { rowsAt } from '../../../../plugins/search/lexicon/files.ts';
import { readRows } from '../../../../plugins/search/lexicon/rows.ts';
import { tempDir, testConfig } from '../../../helper.ts';
import { record } from '../../gateway/index/hostile-records.ts';

test('a row is words that stand for each other and words near them, or English and what others call it', () => {
  const { synonyms, languages } = readRows(
    '\uFEFF# comment\n\nDelete remove get_rid_of ; wipe  # note\r\nuv unwrap\nexport : exportieren 导出\n',
    'own.txt',
  );
  expect(synonyms).toEqual([
    { same: ['delete', 'remove', 'get rid of'], near: ['wipe'] },
    { same: ['uv', 'unwrap'], near: [] },
  ]);
  expect(languages).toEqual([{ english: ['export'], foreign: ['exportieren', '导出'] }]);
});

test.each([
  ['alone', 'alone'],
  ['; near', 'before'],
  ['same ;', 'behind'],
  ['a ; b ; c', 'one ";"'],
  ['export : exportieren : exporter', 'one ";"'],
  ['экспорт : export', 'English'],
  ['a ; {json}', '"{json}"'],
  ['a ; b\u0000c', 'UTF-8'],
  [`a ; ${'b '.repeat(3000)}`, 'characters'],
])('the row %j is refused by file and line', (row, why) => {
  expect(() => readRows(`fine words\n${row}\n`, 'own.txt')).toThrow(new RegExp(`^own\\.txt:2: .*${why}`));
});

describe('the setting search_lexicon', () => {
  /** A gateway's index over two records: what asks for the lexicon at start. */
  const open = (search_lexicon: string | null) => {
    const found: { index?: RankedIndex<CapabilityRecord> } = {};
    const user = definePlugin({ name: 'user', dependencies: ['search'] }, app => {
      found.index = app.searchEngine.ranked(recordShape, { lexicon: true });
      for (const name of ['publish_asset', 'render_frame']) found.index.put(record(name));
    });
    const app = buildApp(testConfig({ search_lexicon }), [searchPlugin, user]);
    return { app, found };
  };
  const find = async (search_lexicon: string | null, query: string) => {
    const { app, found } = open(search_lexicon);
    await app.ready();
    const names = found.index?.search({ query }).hits.map(each => each.item.backend_tool);
    await app.close();
    return names;
  };

  test('a file or a folder adds rows to ours', async () => {
    const folder = await tempDir();
    const file = join(folder, 'studio.txt');
    await writeFile(file, 'publish zorblify\npublish : veröffentlichen\n');
    await writeFile(join(folder, 'notes.md'), 'not a row');
    for (const path of [file, folder]) {
      for (const query of ['zorblify', 'veroeffentlichen']) expect(await find(path, query)).toEqual(['publish_asset']);
    }
    expect(await find(null, 'zorblify')).toEqual([]);
    expect(await find(folder, 'render')).toEqual(['render_frame']);
  });

  test('who asks for no lexicon reads no file', async () => {
    const config = testConfig({ search_lexicon: '/nowhere.txt' });
    const app = buildApp(config, [searchPlugin]);
    await app.ready();
    const index = app.searchEngine.ranked(recordShape);
    index.put(record('export_file'));
    expect(index.search({ query: 'exportieren' }).hits).toEqual([]);
    expect(index.search({ query: 'export' }).total).toBe(1);
    await app.close();
  });

  test('what is missing or broken is an error at start that names the file and the line', async () => {
    const folder = await tempDir();
    await writeFile(join(folder, 'broken.txt'), 'fine words\n\nalone\n');
    await mkdir(join(folder, 'empty'));
    for (const [path, why] of [
      [join(folder, 'broken.txt'), `search_lexicon cannot be read: ${join(folder, 'broken.txt')}:3: "alone"`],
      [folder, `${join(folder, 'broken.txt')}:3: "alone"`],
      [join(folder, 'gone.txt'), 'gone.txt'],
      [join(folder, 'empty'), 'no .txt file'],
    ] as const) {
      await expect(Promise.resolve(open(path).app.ready()), path).rejects.toMatchObject({
        code: 'SVC_SEARCH_LEXICON_INVALID',
        message: expect.stringContaining(why),
      });
    }
  });
});

test('our own files are few rows, none twice', () => {
  const parts = rowsAt(new URL('../../../../plugins/search/lexicon/', import.meta.url).pathname);
  const languages = parts.flatMap(each => each.languages);
  const synonyms = parts.flatMap(each => each.synonyms);
  expect(languages.length).toBeLessThanOrEqual(320);
  expect(synonyms.length).toBeLessThanOrEqual(570);
  const all = [...languages, ...synonyms].map(each => JSON.stringify(each));
  expect(new Set(all).size).toBe(all.length);
});
