import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemeArtefactPlugin } from '../../../../../plugins/resources/schemes/artefact/index.ts';
import { createArtefactStore } from '../../../../../plugins/resources/schemes/artefact/store.ts';
import { tempDir } from '../../../../helper.ts';
import type { Json } from '../../../../spec/wire.ts';
import { errorOf, resourceServer } from '../../support.ts';

const bytes = Buffer.from('a picture');
const hexOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');
const uri = `artefact://sha256/${hexOf(bytes)}`;

async function served(options = {}) {
  const registry_dir = await tempDir();
  const own = { enable_artefact_resources: true, registry_dir, ...options };
  const { app, connect } = await resourceServer([], own, [schemeArtefactPlugin]);
  return { store: app.schemeArtefact, folder: join(registry_dir, 'dcc-mcp-artefacts'), wire: await connect() };
}

test('artefact:// reads as a base64 blob with the declared MIME; list entries carry the sidecar [spec:shape:artefact spec:scheme:artefact]', async () => {
  const { store, wire, folder } = await served();
  const info = {
    mime: 'image/png',
    display_name: 'Frame 1',
    session_id: 's',
    tool_call_id: 't',
    producer_job_id: 'j',
    correlation_id: 'c',
    expires_at: '2999-01-01T00:00:00Z',
    metadata: { frame: 1 },
  };
  const ref = await store.putBytes(bytes, info);
  expect(ref).toMatchObject({ uri, size_bytes: 9, digest: `sha256:${hexOf(bytes)}`, ...info });
  expect(await wire.result('resources/read', { uri })).toEqual({
    contents: [{ uri, mimeType: 'image/png', blob: bytes.toString('base64') }],
  });
  const { resources } = await wire.result('resources/list');
  const { mime, ...meta } = info;
  expect(resources).toEqual([
    {
      uri,
      name: 'Frame 1',
      mimeType: mime,
      size: 9,
      _meta: { ...meta, digest: ref.digest, created_at: ref.created_at },
    },
  ]);
  expect((await readdir(folder)).sort()).toEqual([`${hexOf(bytes)}.bin`, `${hexOf(bytes)}.json`]);
});

test('put file; the same bytes again with another description make a further sidecar', async () => {
  const { store, folder } = await served();
  const path = join(await tempDir(), 'big.bin');
  const big = randomBytes(5_000_000);
  await writeFile(path, big);
  const ref = await store.putFile(path, { display_name: 'one' });
  await store.putFile(path, { display_name: 'two' });
  await store.putFile(path, { display_name: 'two' });
  expect(ref).toMatchObject({ uri: `artefact://sha256/${hexOf(big)}`, size_bytes: big.length });
  expect((await store.list()).map(each => each.display_name).sort()).toEqual(['one', 'two']);
  expect((await readdir(folder)).length).toBe(3);
  expect(Buffer.compare((await store.get(ref.uri))?.bytes as Uint8Array, big)).toBe(0);
  const empty = await store.putBytes(new Uint8Array());
  expect((await store.get(empty.uri))?.bytes.length).toBe(0);
});

test('-32002 while enable_artefact_resources is false, and nothing is listed [spec:config:artefact-scheme]', async () => {
  const { store, wire } = await served({ enable_artefact_resources: false });
  await store.putBytes(bytes);
  expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({ number: -32002 });
  expect(await wire.result('resources/list')).toEqual({ resources: [] });
});

test('-32002 for a valid URI that is not stored; -32602 for one that is malformed [spec:error:artefact-code]', async () => {
  const { wire } = await served();
  expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({
    number: -32002,
    code: 'SVC_ARTEFACT_NOT_STORED',
  });
  for (const bad of [
    uri.slice(0, -1),
    uri.toUpperCase().replace('ARTEFACT://SHA256', 'artefact://sha256'),
    `${uri}0`,
    'artefact://md5/aa',
  ]) {
    expect(await errorOf(wire, 'resources/read', { uri: bad })).toMatchObject({ number: -32602 });
  }
});

test('expires_at is honoured: not listed, not served, pruned with the bytes when old', async () => {
  const folder = join(await tempDir(), 'store');
  let now = Date.now();
  const store = createArtefactStore(folder, () => now);
  await store.putBytes(bytes, { expires_at: new Date(now + 60_000).toISOString() });
  const kept = await store.putBytes(Buffer.from('kept'), {});
  await writeFile(join(folder, '.tmp-1234.part'), 'half');
  expect(await store.get(uri)).toBeDefined();
  now += 61_000;
  expect(await store.get(uri)).toBeUndefined();
  expect((await store.list()).map(each => each.uri)).toEqual([kept.uri]);
  await store.prune();
  expect((await readdir(folder)).length).toBe(5);
  for (const name of await readdir(folder)) await utimes(join(folder, name), 1, 1);
  await store.prune();
  expect((await readdir(folder)).sort()).toEqual(
    [`${hexOf(Buffer.from('kept'))}.bin`, `${hexOf(Buffer.from('kept'))}.json`].sort(),
  );
});

test('integrity is checked on read: damaged, torn or foreign files are never served', async () => {
  const { store, wire, folder } = await served();
  const ref = await store.putBytes(bytes);
  const file = join(folder, `${hexOf(bytes)}.bin`);
  for (const damage of [bytes.subarray(0, 4), Buffer.from('a pictura'), Buffer.alloc(0)]) {
    await writeFile(file, damage);
    expect(await errorOf(wire, 'resources/read', { uri: ref.uri })).toMatchObject({ number: -32002 });
  }
  await store.putBytes(bytes);
  expect(await readFile(file)).toEqual(bytes);
  expect(await store.get(ref.uri)).toBeDefined();

  const other = Buffer.from('other');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${hexOf(other)}.bin`), other);
  for (const text of ['', '{"uri":', 'null', '5', '{"uri":"artefact://sha256/x","size_bytes":1}']) {
    await writeFile(join(folder, `${hexOf(other)}.json`), text);
    expect(await store.get(`artefact://sha256/${hexOf(other)}`)).toBeUndefined();
  }
  expect((await wire.result('resources/list')).resources).toHaveLength(1);
});

test('two writers at once: every put is readable, one primary sidecar, nothing half written', async () => {
  const folder = join(await tempDir(), 'store');
  const stores = [createArtefactStore(folder, Date.now), createArtefactStore(folder, Date.now)];
  const data = randomBytes(300_000);
  const puts = Array.from({ length: 20 }, (_, n) => stores[n % 2]?.putBytes(data, { display_name: `writer ${n % 4}` }));
  const refs = await Promise.all(puts);
  expect(new Set(refs.map(each => each?.uri)).size).toBe(1);
  const names = await readdir(folder);
  expect(names.filter(each => each.startsWith('.tmp'))).toEqual([]);
  expect(names.filter(each => /^[0-9a-f]{64}\.json$/.test(each))).toHaveLength(1);
  const seen = new Set((await stores[0]?.list())?.map(each => each.display_name));
  expect(seen).toEqual(new Set(['writer 0', 'writer 1', 'writer 2', 'writer 3']));
  expect(Buffer.compare((await stores[1]?.get(String(refs[0]?.uri)))?.bytes as Uint8Array, data)).toBe(0);
});

test('an artefact over max_resource_bytes is refused before it is read; wrong descriptions are refused', async () => {
  const { store, wire } = await served({ max_resource_bytes: 1024 });
  const ref = await store.putBytes(randomBytes(1000));
  expect(await errorOf(wire, 'resources/read', { uri: ref.uri })).toMatchObject({
    number: -32603,
    code: 'SVC_ARTEFACT_TOO_LARGE',
  });
  const cyclic: Json = {};
  cyclic.self = cyclic;
  for (const bad of [
    { expires_at: 'soon' },
    { mime: 5 as never },
    { metadata: cyclic },
    { display_name: 'x'.repeat(2000) },
  ]) {
    await expect(store.putBytes(bytes, bad)).rejects.toMatchObject({ code: 'SVC_ARTEFACT_BAD_INFO' });
  }
  for (const path of ['/no/such/file', await tempDir()]) {
    await expect(store.putFile(path)).rejects.toMatchObject({ code: 'SVC_ARTEFACT_UNREADABLE' });
  }
});
