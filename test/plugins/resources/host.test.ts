import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSessionEventBuffer, type ResourceProducer } from '../../../plugins/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { type Mode, modes, testServer } from '../../server.ts';
import { connect, type Json } from '../../spec/wire.ts';
import { errorOf, readJson, updatesOf } from './support.ts';

const started = async (mode: Mode, options = {}) => {
  const server = testServer(mode, options);
  const service = await server.start();
  return { server, resources: server.resources(), wire: await connect(service.mcpUrl()) };
};

const notes: ResourceProducer = {
  scheme: 'notes',
  list: () => [{ uri: 'notes://a', name: 'A', description: 'Words.', mimeType: 'text/plain', extra: () => 1 } as never],
  templates: () => [{ uriTemplate: 'notes://{n}', name: 'note' }],
  complete: (_template, _variable, value) => ['alpha', 'beta'].filter(each => each.startsWith(value)),
  read(uri) {
    if (uri === 'notes://a') return [{ uri, mimeType: 'text/plain', text: 'hello' }];
    if (uri === 'notes://bytes') return [{ uri, blob: new Uint8Array([255, 0]) as never }];
    if (uri === 'notes://huge') return [{ uri, blob: 'A'.repeat(50_000_000) }];
    if (uri === 'notes://hang') return new Promise(() => undefined);
    if (uri === 'notes://throw') throw new Error('the note is locked');
    return undefined;
  },
};

describe.each(modes)('server.resources(), spawn_mode %s', mode => {
  test('setScene replaces or clears the snapshot, clients are notified and read a delta [spec:ops:set-scene]', async () => {
    const { resources, wire } = await started(mode);
    const stream = await wire.stream();
    await wire.result('resources/subscribe', { uri: 'scene://delta' });
    await resources.setScene({ fps: 24 });
    await stream.next(each => each.params?.uri === 'scene://delta');
    await resources.setScene({ fps: 25 });
    await waitFor(() => updatesOf(stream.messages, 'scene://delta') === 2, 'the second update');
    expect(await readJson(wire, 'scene://delta')).toMatchObject({
      base_revision: 1,
      revision: 2,
      changes: [{ path: '/fps', kind: 'changed', before: 24, after: 25 }],
    });
    await resources.setScene({ fps: 25 });
    await resources.setScene(null);
    expect(await readJson(wire, 'scene://current')).toMatchObject({ status: 'no_snapshot' });
    expect(await readJson(wire, 'scene://delta')).toMatchObject({ revision: 3 });
    await expect(resources.setScene(5n)).rejects.toMatchObject({ code: 'SVC_SERVER_INVALID_ARGUMENT' });
    stream.close();
  });

  test('addProducer before start serves a scheme from the host: list, read, templates, completion, errors [spec:ops:add-producer spec:mcp:resources-methods spec:resource:record spec:ops:producer-shape]', async () => {
    const server = testServer(mode, { request_timeout_ms: 1500 });
    const remove = await server.resources().addProducer(notes);
    const wire = await connect((await server.start()).mcpUrl());
    const { resources } = await wire.result('resources/list');
    expect(resources).toContainEqual({ uri: 'notes://a', name: 'A', description: 'Words.', mimeType: 'text/plain' });
    const read = async (uri: string) => (await wire.result('resources/read', { uri })).contents;
    expect(await read('notes://a')).toEqual([{ uri: 'notes://a', mimeType: 'text/plain', text: 'hello' }]);
    expect(await read('notes://bytes')).toEqual([{ uri: 'notes://bytes', blob: '/wA=' }]);
    const argument = { name: 'n', value: 'al' };
    const ref = { type: 'ref/resource', uri: 'notes://{n}' };
    expect(await wire.result('completion/complete', { ref, argument })).toMatchObject({
      completion: { values: ['alpha'] },
    });
    const failing = (name: string) => errorOf(wire, 'resources/read', { uri: `notes://${name}` });
    expect(await failing('huge')).toMatchObject({ number: -32603, code: 'SVC_RESOURCES_TOO_LARGE' });
    expect(await failing('hang')).toMatchObject({ number: -32603 });
    expect((await failing('throw')).message).toContain('the note is locked');
    expect(await failing('unknown')).toMatchObject({ number: -32002, code: 'SVC_RESOURCES_NOT_FOUND' });

    const stream = await wire.stream();
    await wire.result('resources/subscribe', { uri: 'notes://a' });
    await server.resources().updated('notes://a');
    await stream.next(each => each.params?.uri === 'notes://a');
    expect(await wire.result('resources/unsubscribe', { uri: 'notes://a' })).toEqual({});
    await remove();
    await remove();
    await stream.next(each => each.method === 'notifications/resources/list_changed');
    expect(await failing('a')).toMatchObject({ code: 'SVC_RESOURCES_NOT_FOUND' });
    stream.close();
  });

  test('a producer that is refused leaves nothing behind', async () => {
    const { resources } = await started(mode);
    await expect(resources.addProducer({ ...notes, scheme: 'scene' })).rejects.toMatchObject({
      code: 'SVC_KERNEL_DUPLICATE',
    });
    await expect(resources.addProducer({ scheme: 'x' } as never)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
    });
    await expect(resources.addProducer({ ...notes, scheme: 'NOTES' })).rejects.toMatchObject({
      code: 'SVC_RESOURCES_BAD_URI',
    });
  });

  test('registerSessionEventBuffer exposes a buffer of the host, drains reach it [spec:ops:session-event-buffer]', async () => {
    const { resources, wire } = await started(mode);
    const buffer = createSessionEventBuffer({ session_id: 's1', maxlen: 10 });
    const hide = await resources.registerSessionEventBuffer(buffer);
    for (let n = 1; n <= 3; n += 1) buffer.append({ source: 'h', stream: 'out', level: 'info', message: `m${n}` });
    const page = await readJson(wire, 'events://session/s1?limit=2&drain=true');
    expect((page.events as Json[]).map(each => each.message)).toEqual(['m1', 'm2']);
    expect(buffer.page()).toMatchObject({ retained_count: 1, dropped_count: 2 });
    await hide();
    expect(await errorOf(wire, 'resources/read', { uri: 'events://session/s1' })).toMatchObject({ number: -32002 });
  });

  test('wireAuditLog forwards audit records, secrets censored, subscribers notified, until undone [spec:ops:wire-audit-log]', async () => {
    const { resources, wire } = await started(mode);
    const stream = await wire.stream();
    await wire.result('resources/subscribe', { uri: 'audit://recent?limit=2' });
    let forward: (record: never) => void = () => undefined;
    let stopped = 0;
    const stop = await resources.wireAuditLog({
      onRecord(callback) {
        forward = callback;
        return () => {
          stopped += 1;
        };
      },
    });
    for (const n of [1, 2, 3]) {
      forward({
        action: `a${n}`,
        actor: 'host',
        params_json: '{"token":"x","n":1}',
        outcome: { denied: { reason: 'no' } },
        f: () => n,
      } as never);
    }
    await stream.next(each => each.params?.uri === 'audit://recent?limit=2');
    expect(await readJson(wire, 'audit://recent?limit=2')).toMatchObject({
      limit: 2,
      count: 2,
      entries: [
        {
          action: 'a2',
          actor: 'host',
          params_json: '{"token":"[redacted]","n":1}',
          outcome: { denied: { reason: 'no' } },
        },
        { action: 'a3' },
      ],
    });
    await stop();
    await stop();
    expect(stopped).toBe(1);
    await expect(resources.wireAuditLog({} as never)).rejects.toMatchObject({ code: 'SVC_SERVER_INVALID_ARGUMENT' });
    stream.close();
  });

  test('wireAuditLog: however a refusal or failure is spelled, it is never recorded as a success', async () => {
    const { resources, wire } = await started(mode);
    const outcomes = [
      ...[undefined, 'success', 'OK', { success: true }],
      ...['denied', 'Refused', { denied: true }, { denied: 'by policy' }],
      ...['error', 'failed', '', 0, {}, { error: 'boom' }, { error: {} }, { success: false }, ['x']],
    ];
    const kindOf = (told: unknown) => (typeof told === 'string' ? told : Object.keys(told as object)[0]);
    await resources.wireAuditLog({
      onRecord: callback => outcomes.map((outcome, n) => callback({ action: `a${n}`, outcome } as never)),
    });
    const read = () => readJson(wire, 'audit://recent?limit=50') as Promise<{ entries: { outcome: unknown }[] }>;
    await waitFor(async () => (await read()).entries.length === outcomes.length, 'every record');
    const told = (await read()).entries.map(each => kindOf(each.outcome));
    expect(told).toEqual([...Array(4).fill('success'), ...Array(4).fill('denied'), ...Array(9).fill('error')]);
  });

  test('artefacts: put bytes, put file, get and list from the host', async () => {
    const folder = await tempDir();
    const { resources, wire } = await started(mode, { enable_artefact_resources: true, registry_dir: folder });
    const { artefacts } = resources;
    const ref = await artefacts.putBytes(Buffer.from('abc'), { mime: 'text/plain', metadata: { n: 1 } });
    await writeFile(join(folder, 'x.txt'), 'file');
    const file = await artefacts.putFile(join(folder, 'x.txt'));
    expect((await artefacts.list()).map(each => each.uri).sort()).toEqual([ref.uri, file.uri].sort());
    const got = await artefacts.get(ref.uri);
    expect(Buffer.from(got?.bytes ?? []).toString()).toBe('abc');
    expect(await wire.result('resources/read', { uri: ref.uri })).toEqual({
      contents: [{ uri: ref.uri, mimeType: 'text/plain', blob: 'YWJj' }],
    });
    await expect(artefacts.get('artefact://sha256/12')).rejects.toMatchObject({ code: 'SVC_ARTEFACT_BAD_URI' });
    await expect(artefacts.putBytes('text' as never)).rejects.toMatchObject({ code: 'SVC_ARTEFACT_BAD_INFO' });
    await expect(artefacts.putBytes(Buffer.from('x'), { mimeType: 'text/plain' } as never)).rejects.toMatchObject({
      code: 'SVC_ARTEFACT_BAD_INFO',
      message: expect.stringContaining('"mimeType" is not known: use mime,'),
    });
  });

  test('registerOpenusd serves a project to clients, and its disposer takes it away', async () => {
    const project_root = await tempDir();
    await writeFile(join(project_root, 'a.usda'), '#usda 1.0\n(subLayers = [@b.usda@])');
    const { resources, wire } = await started(mode);
    const remove = await resources.registerOpenusd({
      project_root,
      stage: 'a.usda',
      validation: [{ name: 'checker', content: { ok: true } }],
      project_label: 'Shot',
    });
    expect(await readJson(wire, 'openusd://layers')).toMatchObject({ project_label: 'Shot', count: 1 });
    expect(await readJson(wire, 'openusd://validation/checker')).toEqual({ ok: true });
    await remove();
    await remove();
    expect(await errorOf(wire, 'resources/read', { uri: 'openusd://stage' })).toMatchObject({ number: -32002 });
    await expect(resources.registerOpenusd({ project_root, stage: '../x' })).rejects.toMatchObject({
      code: 'SVC_OPENUSD_OUTSIDE',
    });
    await expect(resources.registerOpenusd({ project_root, stage: 'a.usda', label: 'x' } as never)).rejects.toThrow(
      /a project has no "label": it has project_root, stage, project_label/,
    );
    const assets = [{ path: 'a.usda', mime: 'x' }] as never;
    await expect(resources.registerOpenusd({ project_root, stage: 'a.usda', assets })).rejects.toThrow(
      /an item of "assets" has no "mime"/,
    );
    await expect(resources.registerOpenusd({ stage: 5n } as never)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
    });
    await expect(resources.registerOpenusd(undefined as never)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
    });
  });

  test('an operation whose plugin is off says so', async () => {
    const server = testServer(mode, {}, { plugins: { 'scheme-scene': false } });
    await expect(server.resources().setScene({})).rejects.toMatchObject({ code: 'SVC_SERVER_FEATURE_OFF' });
  });
});
