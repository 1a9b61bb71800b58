/** The search engine on records made here: word forms, languages, filters, pages, changes. */
import { expect, test } from 'vitest';
import type { CapabilityRecord, SearchInput } from '../../../../plugins/gateway/index/api.ts';
import { createRecordStore } from '../../../../plugins/gateway/index/store.ts';
import {
  createRecordSearch,
  measure,
  relevanceQueries,
  relevanceRecords,
  relevanceSearch,
} from '../../search/relevance/figures.ts';
import { record } from './hostile-records.ts';

function searchOf(...records: CapabilityRecord[]) {
  const search = createRecordSearch();
  for (const each of records) search.put(each);
  return (input: SearchInput) => search.search(input).hits.map(hit => hit.backend_tool);
}

test('word forms, slips, separators, letter case and accents are forgiven', () => {
  const find = searchOf(
    record('create_poly_sphere', { description: 'Makes a sphere.' }),
    record('deleteKeyframes', { description: 'Removes animation keys.' }),
    record('bake_texture', { description: 'Writes the lighting into an image.' }),
  );
  for (const query of ['createPolySphere', 'CREATE POLY SPHERE', 'polysphere', 'shpere', 'spheres', 'sphère']) {
    expect(find({ query })[0], query).toBe('create_poly_sphere');
  }
  for (const query of ['delete_keyframes', 'key frame delete', 'keyfram', 'remove keys']) {
    expect(find({ query })[0], query).toBe('deleteKeyframes');
  }
  for (const query of ['baking', 'baked textures', 'textuer', 'lightning']) {
    expect(find({ query })[0], query).toBe('bake_texture');
  }
});

test('other languages find English tools', () => {
  const find = searchOf(
    record('export_file', { description: 'Writes the file.' }),
    record('render_frame', { description: 'Renders an image.' }),
    record('delete_object', { description: 'Removes an object from the scene.' }),
  );
  const expected: Record<string, readonly string[]> = {
    export_file: ['Datei exportieren', 'exporter le fichier', 'exportar archivo', 'ファイルをエクスポート', '导出文件'],
    render_frame: ['レンダリング', '渲染一帧', '렌더링', 'рендерить кадр', 'Bild rendern', 'renderizar quadro'],
    delete_object: [
      'Objekt löschen',
      'objekt loeschen',
      'supprimer un objet',
      '删除物体',
      '오브젝트 삭제',
      'удалить объект',
    ],
  };
  for (const [name, queries] of Object.entries(expected)) {
    for (const query of queries) expect(find({ query })[0], query).toBe(name);
  }
});

test('filters narrow: host types, tags, loaded, instance', () => {
  const other = '22222222-0000-4000-8000-000000000000';
  const search = createRecordSearch();
  search.put(record('a_cut', { tags: ['Edit', 'mesh'] }));
  search.put(record('b_cut', { tags: ['edit'], dcc_type: 'blender', instance_id: other }));
  search.put(record('c_cut', { tags: ['mesh'], loaded: false }));
  const names = (input: SearchInput, id?: string) =>
    search
      .search(input, id)
      .hits.map(hit => hit.backend_tool)
      .sort();
  for (const query of ['cut', '']) {
    expect(names({ query })).toEqual(['a_cut', 'b_cut', 'c_cut']);
    expect(names({ query, dcc_type: 'Maya' })).toEqual(['a_cut', 'c_cut']);
    expect(names({ query, dcc_type: 'maya', dcc_types: ['blender'] })).toEqual(['a_cut', 'b_cut', 'c_cut']);
    expect(names({ query, tags: ['edit', 'MESH'] })).toEqual(['a_cut']);
    expect(names({ query, tags_any: ['edit', 'mesh'], exclude_tags: ['edit'] })).toEqual(['c_cut']);
    expect(names({ query, loaded_only: true })).toEqual(['a_cut', 'b_cut']);
    expect(names({ query }, other)).toEqual(['b_cut']);
  }
});

test('pages do not overlap, equals stand by slug, limits hold', () => {
  const search = createRecordSearch();
  for (let at = 0; at < 250; at += 1) search.put(record(`cut_${String(at).padStart(3, '0')}`));
  const page = (input: SearchInput) => search.search({ query: 'cut', ...input }).hits;
  expect(page({}).length).toBe(25);
  expect(page({ limit: 0 }).length).toBe(25);
  expect(page({ limit: 1000 }).length).toBe(100);
  const all = [0, 100, 200].flatMap(offset => page({ limit: 100, offset }).map(hit => hit.backend_tool));
  expect(new Set(all).size).toBe(250);
  expect(page({ limit: 3 })).toEqual(page({ limit: 3 }));
  expect(page({ offset: 10, limit: 1 })[0]?.rank).toBe(11);
  expect(search.search({ query: 'cut' }).total).toBe(250);
  expect(search.search({ limit: 2, offset: 1 }).hits.map(hit => hit.backend_tool)).toEqual(['cut_001', 'cut_002']);
});

test('modes, alternatives, hints, scores and reasons', () => {
  const search = createRecordSearch();
  search.put(record('export_fbx', { description: 'Writes FBX.', skill_name: 'io', aliases: ['save_fbx'] }));
  search.put(record('publish_asset', { description: 'Hands an asset over.', skill_name: 'pipeline' }));
  search.put(record('export_abc', { description: 'Writes Alembic.', dcc_type: 'blender', skill_name: 'cache' }));
  const names = (input: SearchInput) => search.search(input).hits.map(hit => hit.backend_tool);
  expect(names({ query: 'fbx writ', mode: 'exact' })).toEqual(['export_fbx']);
  expect(names({ query: 'fbx gone', mode: 'exact' })).toEqual([]);
  expect(names({ query: 'fbxx', mode: 'hybrid' })).toEqual(['export_fbx']);
  expect(names({ query: 'publish_asset', or_queries: ['alembic'] }).slice(0, 2)).toEqual([
    'publish_asset',
    'export_abc',
  ]);
  expect(names({ query: 'export', skill_hint: 'cache' })[0]).toBe('export_abc');
  expect(names({ query: 'export', scene_hint: 'shot.blend' })[0]).toBe('export_abc');
  expect(names({ query: 'export fbx', min_score: 700 })).toEqual(['export_fbx']);
  const [hit] = search.search({ query: 'writes fbx' }).hits;
  expect(hit?.match_reasons).toContain('tool_lexical');
  expect(hit?.match_reasons).toContain('multi_token_lexical');
});

test('odd queries neither throw nor hang', () => {
  const { search } = relevanceSearch();
  for (const query of [
    '',
    ' ',
    '__proto__',
    'constructor',
    '.*',
    '🎬',
    'a',
    'the',
    '--',
    '\u0000',
    'x'.repeat(1e5),
    '(',
  ]) {
    expect(Array.isArray(search({ query }).hits), query.slice(0, 20)).toBe(true);
  }
  expect(search({ query: 'the' }).hits.length).toBeGreaterThan(0);
});

test('replacing records changes what differs and nothing else', async () => {
  const store = createRecordStore(createRecordSearch().index);
  const records = relevanceRecords();
  const id = records[0]?.instance_id as string;
  const own = records.filter(each => each.instance_id === id);
  expect(await store.replace(id, own)).toBe(true);
  const before = store.generation;
  expect(before).toMatch(/^1:[0-9a-f]{8}$/);
  expect(await store.replace(id, [...own].reverse())).toBe(false);
  expect(store.generation).toBe(before);
  const changed = own.map((each, at) => (at === 0 ? { ...each, description: 'Zebrafish.' } : each));
  expect(await store.replace(id, changed)).toBe(true);
  expect(store.generation).not.toBe(before);
  expect(store.search({ query: 'zebrafish' }).total).toBe(1);
  expect(await store.replace(id, own)).toBe(true);
  expect(store.generation).toBe(before);
  expect(store.search({ query: 'zebrafish' }).total).toBe(0);
  await store.replace(id, []);
  expect(store.size).toBe(0);
  expect(store.search({ query: 'scene' })).toEqual({ total: 0, hits: [], doubt: 'poor' });
});

test('an index that was filled, emptied and filled again ranks as a new one', async () => {
  const store = createRecordStore(createRecordSearch().index);
  const records = relevanceRecords();
  const ids = [...new Set(records.map(each => each.instance_id))];
  const fill = (id: string) =>
    store.replace(
      id,
      records.filter(each => each.instance_id === id),
    );
  for (const id of ids) await fill(id);
  for (const id of ids.reverse()) await store.replace(id, []);
  for (const id of ids) await fill(id);
  const queries = relevanceQueries('queries');
  const again = measure({ search: store.search } as never, queries).found.map(each => each.top);
  expect(again).toEqual(measure(relevanceSearch(), queries).found.map(each => each.top));
});
