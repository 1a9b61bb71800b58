import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { schemeOpenusdPlugin } from '../../../../../plugins/resources/schemes/openusd/index.ts';
import { errorOf, readJson, resourceServer } from '../../support.ts';
import { crate, entriesOf, folderOf, png, sampleProject, served, texts } from './support.ts';

test('openusd://stage is the stage file, with its MIME type; every URI of the table is listed with its MIME type [spec:shape:openusd]', async () => {
  const project_root = await sampleProject();
  const { wire } = await served({ project_root, stage: 'shot.usda', project_label: 'Shot 10' });
  const uri = 'openusd://stage';
  expect(await wire.result('resources/read', { uri })).toEqual({
    contents: [{ uri, mimeType: 'model/vnd.usd.usda+text', text: texts['shot.usda'] }],
  });
  const { resources } = await wire.result('resources/list');
  const listed = new Map((resources as { uri: string; mimeType: string }[]).map(each => [each.uri, each]));
  for (const family of ['layers', 'assets', 'materials', 'validation', 'snapshots', 'packages']) {
    expect(listed.get(`openusd://${family}`)?.mimeType, family).toBe('application/json');
  }
  const size = Buffer.byteLength(texts['shot.usda'] ?? '');
  expect(listed.get(uri)).toEqual({
    uri,
    name: 'shot.usda',
    description: 'Primary stage of Shot 10: shot.usda',
    mimeType: 'model/vnd.usd.usda+text',
    size,
    _meta: {
      kind: 'stage',
      project_root_label: 'Shot 10',
      path: join(project_root, 'shot.usda'),
      file_ref: {
        uri: pathToFileURL(join(project_root, 'shot.usda')).href,
        mime: 'model/vnd.usd.usda+text',
        display_name: 'shot.usda',
        size_bytes: size,
      },
      metadata: { project_root_label: 'Shot 10', project_root, status: 'present' },
    },
  });
  expect(listed.get('openusd://layers')).toMatchObject({
    _meta: { kind: 'layer-manifest', project_root_label: 'Shot 10' },
  });
});

test('layers are read from the text: sublayers, references, payloads, variants; not comments, strings or identifiers', async () => {
  const { wire } = await served({ project_root: await sampleProject(), stage: 'shot.usda' });
  const manifest = await readJson(wire, 'openusd://layers');
  expect(manifest).toMatchObject({ kind: 'layer', count: 6 });
  const layers = await entriesOf(wire, 'layers');
  expect(layers.map(each => [each.uri, each.name, (each.metadata.arcs as string[]).join()])).toEqual([
    ['openusd://layers/light', 'light.usda', 'sublayer'],
    ['openusd://layers/anim', 'anim.usda', 'sublayer'],
    ['openusd://layers/chair', 'chair.usda', 'reference'],
    ['openusd://layers/odd-name', 'odd@name.usdc', 'payload'],
    ['openusd://layers/pack', 'pack.usdz', 'payload'],
    ['openusd://layers/red', 'red.usda', 'reference'],
  ]);
  expect(layers[1]?.metadata.referenced_by).toEqual(['shot.usda', join('layers', 'light.usda')]);
  expect(layers.every(each => each.metadata.status === 'present' && each.file_ref !== undefined)).toBe(true);
});

test('assets are read from the text of every layer, relative to the layer that names them, tiles of <UDIM> apart', async () => {
  const project_root = await sampleProject();
  const { wire } = await served({ project_root, stage: 'shot.usda', project_label: 'P' });
  const assets = await entriesOf(wire, 'assets');
  expect(assets.map(each => [each.name, each.metadata.status])).toEqual([
    ['wood.png', 'present'],
    ['skin.1001.exr', 'present'],
    ['skin.1002.exr', 'present'],
    ['gone.png', 'missing'],
  ]);
  const path = join(project_root, 'assets', 'chair', 'tex', 'wood.png');
  expect(assets[0]).toEqual({
    uri: 'openusd://assets/wood',
    name: 'wood.png',
    description: 'Asset dependency of P: ./tex/wood.png',
    mimeType: 'application/octet-stream',
    kind: 'asset',
    project_root_label: 'P',
    path,
    file_ref: {
      uri: pathToFileURL(path).href,
      mime: 'application/octet-stream',
      display_name: 'wood.png',
      size_bytes: png.length,
    },
    metadata: {
      project_root_label: 'P',
      project_root,
      status: 'present',
      arcs: ['asset'],
      referenced_by: [join('assets', 'chair', 'chair.usda')],
    },
  });
  const uri = 'openusd://assets/wood';
  expect((await wire.result('resources/read', { uri })).contents).toEqual([
    { uri, mimeType: 'application/octet-stream', blob: png.toString('base64') },
  ]);
  expect(await errorOf(wire, 'resources/read', { uri: 'openusd://assets/gone' })).toMatchObject({
    number: -32602,
    code: 'SVC_OPENUSD_MISSING',
  });
});

test('.usdc is a base64 blob with its MIME type, and .usd is what its first bytes say', async () => {
  const project_root = await folderOf({
    'main.usd': '#usda 1.0\n( subLayers = [@a.usdc@, @b.usd@, @c.usd@] )',
    'a.usdc': crate,
    'b.usd': crate,
    'c.usd': '#usda 1.0\ndef "A" ( references = @d.usda@ ) {}',
    'd.usda': '',
  });
  const { wire } = await served({ project_root, stage: join(project_root, 'main.usd') });
  const layers = await entriesOf(wire, 'layers');
  expect(layers.map(each => [each.name, each.mimeType])).toEqual([
    ['a.usdc', 'model/vnd.usd.usdc'],
    ['b.usd', 'model/vnd.usd.usdc'],
    ['c.usd', 'model/vnd.usd.usda+text'],
    ['d.usda', 'model/vnd.usd.usda+text'],
  ]);
  const uri = 'openusd://layers/b';
  expect((await wire.result('resources/read', { uri })).contents).toEqual([
    { uri, mimeType: 'model/vnd.usd.usdc', blob: crate.toString('base64') },
  ]);
});

test('what the caller lists is merged: names win, validation and snapshots default to JSON, .md is markdown', async () => {
  const project_root = await sampleProject();
  await writeFile(join(project_root, 'notes.md'), '# Notes');
  await writeFile(join(project_root, 'hand.zip'), 'PK');
  const { wire } = await served({
    project_root,
    stage: 'shot.usda',
    layers: [{ path: 'layers/anim.usda', name: 'Animation', description: 'keys' }],
    assets: ['notes.md'],
    materials: [{ name: 'Wood' }, { name: 'Wood' }],
    validation: [{ name: 'usdchecker', content: { errors: [] } }],
    snapshots: [{ name: 'prims', content: '{"count":2}' }],
    packages: ['hand.zip'],
  });
  const layers = await entriesOf(wire, 'layers');
  expect(layers).toHaveLength(6);
  expect(layers[0]).toMatchObject({
    uri: 'openusd://layers/Animation',
    description: 'keys',
    metadata: { arcs: ['sublayer'] },
  });
  const read = async (uri: string) => (await wire.result('resources/read', { uri })).contents as unknown[];
  expect(await read('openusd://validation/usdchecker')).toEqual([
    { uri: 'openusd://validation/usdchecker', mimeType: 'application/json', text: '{"errors":[]}' },
  ]);
  expect(await read('openusd://snapshots/prims')).toMatchObject([
    { mimeType: 'application/json', text: '{"count":2}' },
  ]);
  expect(await read('openusd://assets/notes')).toMatchObject([{ mimeType: 'text/markdown', text: '# Notes' }]);
  expect(await read('openusd://packages/hand')).toMatchObject([{ mimeType: 'application/octet-stream', blob: 'UEs=' }]);
  expect((await entriesOf(wire, 'materials')).map(each => each.uri)).toEqual([
    'openusd://materials/Wood',
    'openusd://materials/Wood-2',
  ]);
  expect(await readJson(wire, 'openusd://materials/Wood')).toMatchObject({ kind: 'material', name: 'Wood' });
  expect((await entriesOf(wire, 'validation'))[0]).not.toHaveProperty('file_ref');
  const argument = { name: 'name', value: 'An' };
  const ref = { type: 'ref/resource', uri: 'openusd://layers/{name}' };
  expect(await wire.result('completion/complete', { ref, argument })).toMatchObject({
    completion: { values: ['Animation'] },
  });
});

test('an unknown URI answers JSON unknown-usd-resource', async () => {
  const { wire } = await served({ project_root: await sampleProject(), stage: 'shot.usda' });
  for (const uri of ['openusd://nothing', 'openusd://layers/nothing', 'openusd://stage/x']) {
    expect(await readJson(wire, uri)).toEqual({ error: 'unknown-usd-resource', uri });
  }
});

test('a layer that changed is read again', async () => {
  const project_root = await sampleProject();
  const { wire } = await served({ project_root, stage: 'shot.usda' });
  expect(await entriesOf(wire, 'layers')).toHaveLength(6);
  await writeFile(join(project_root, 'layers', 'anim.usda'), '#usda 1.0\n(subLayers=[@extra.usda@])');
  expect((await entriesOf(wire, 'layers')).map(each => each.name)).toContain('extra.usda');
});

test('one project at a time; its disposer takes everything away and clients are told', async () => {
  const project_root = await sampleProject();
  const { app, connect } = await resourceServer([], {}, [schemeOpenusdPlugin]);
  const wire = await connect();
  const stream = await wire.stream();
  const told = () => stream.next(each => each.method === 'notifications/resources/list_changed');
  const project = { project_root, stage: 'shot.usda' };
  const remove = await app.schemeOpenusd.register(project);
  await told();
  await expect(app.schemeOpenusd.register(project)).rejects.toMatchObject({ code: 'SVC_OPENUSD_TAKEN' });
  await remove();
  await told();
  expect(await wire.result('resources/list')).toEqual({ resources: [] });
  expect(await errorOf(wire, 'resources/read', { uri: 'openusd://stage' })).toMatchObject({ number: -32002 });
  await (await app.schemeOpenusd.register(project))();
  stream.close();
});
