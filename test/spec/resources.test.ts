/** Resources: the methods, the records, the schemes that are built in, notifications. */
import { describe, expect } from 'vitest';
import type { ResourceProducer } from '../../plugins/resources/api.ts';
import { startConnected, startInside } from './fixture.ts';
import { verifies } from './verifies.ts';
import type { Json, RpcMessage, Wire } from './wire.ts';

/** A server seen from inside, with a client. */
async function connected(options = {}, ...producers: ResourceProducer[]) {
  const inside = await startInside(options);
  for (const producer of producers) inside.app.resources.addProducer(producer);
  return { ...inside, client: await inside.connect() };
}

/** A producer of three texts and one blob. */
const shelf = (size = 3): ResourceProducer => ({
  scheme: 'shelf',
  list: () => [
    { uri: 'shelf://text', name: 'A text', description: 'Words.', mimeType: 'text/plain' },
    { uri: 'shelf://blob', name: 'Bytes', mimeType: 'application/octet-stream' },
    { uri: 'shelf://broken', name: 'Broken' },
  ],
  read(uri) {
    if (uri === 'shelf://text') return [{ uri, mimeType: 'text/plain', text: 'wörds' }];
    if (uri === 'shelf://blob') {
      return [{ uri, mimeType: 'application/octet-stream', blob: Buffer.alloc(size, 7).toString('base64') }];
    }
    if (uri === 'shelf://broken') throw new Error('the shelf fell down');
    return undefined;
  },
});

const off: ResourceProducer = { ...shelf(), scheme: 'dark', enabled: () => false };

/** The only item of a read. */
async function read(client: Wire, uri: string): Promise<Json> {
  const { contents } = (await client.result('resources/read', { uri })) as { contents: Json[] };
  expect(contents).toHaveLength(1);
  return contents[0] as Json;
}

/** The JSON that a URI holds. */
const readJson = async (client: Wire, uri: string): Promise<Json> => {
  const { text, mimeType } = await read(client, uri);
  expect(mimeType).toBe('application/json');
  return JSON.parse(String(text)) as Json;
};

const updatedOf = (messages: readonly RpcMessage[]): unknown[] =>
  messages.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params?.uri);

const isUpdate =
  (uri: string) =>
  ({ method, params }: RpcMessage): boolean =>
    method === 'notifications/resources/updated' && params?.uri === uri;

describe('methods', () => {
  verifies(['mcp:initialize-resources'], 'the capability has subscribe and listChanged', async () => {
    const { client } = await startConnected();
    expect(client.initialized.result?.capabilities).toMatchObject({
      resources: { subscribe: true, listChanged: true },
    });
  });

  verifies(
    ['mcp:resources-methods', 'resource:record', 'resource:contents', 'ops:producer-shape'],
    'what a producer lists and reads is served; an unknown URI is not found',
    async () => {
      const { client } = await connected({}, shelf());
      const { resources } = (await client.result('resources/list')) as { resources: Json[] };
      expect(resources).toContainEqual({
        uri: 'shelf://text',
        name: 'A text',
        description: 'Words.',
        mimeType: 'text/plain',
      });
      for (const record of resources)
        expect(record).toMatchObject({ uri: expect.any(String), name: expect.any(String) });
      expect(await read(client, 'shelf://text')).toEqual({
        uri: 'shelf://text',
        mimeType: 'text/plain',
        text: 'wörds',
      });
      const { blob, ...rest } = await read(client, 'shelf://blob');
      expect(Buffer.from(String(blob), 'base64')).toEqual(Buffer.alloc(3, 7));
      expect(rest).toEqual({ uri: 'shelf://blob', mimeType: 'application/octet-stream' });
      const unknown = await client.request('resources/read', { uri: 'shelf://nothing' });
      expect(unknown.error).toMatchObject({ code: -32602, message: expect.stringContaining('shelf://nothing') });
      expect(await client.result('resources/subscribe', { uri: 'shelf://text' })).toEqual({});
      expect(await client.result('resources/unsubscribe', { uri: 'shelf://text' })).toEqual({});
    },
  );

  verifies(['resource:pages', 'resource:templates'], 'lists have pages, schemes have templates', async () => {
    const { client } = await connected({ resources_page_size: 2 }, shelf());
    const uris: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await client.result('resources/list', cursor === undefined ? {} : { cursor });
      expect((page.resources as Json[]).length).toBeLessThanOrEqual(2);
      uris.push(...(page.resources as Json[]).map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(uris).toEqual(
      expect.arrayContaining(['scene://current', 'scene://delta', 'shelf://text', 'shelf://broken']),
    );
    expect(new Set(uris).size).toBe(uris.length);
    for (const wrong of ['zz', '-1', 'ffffffff', 7, {}]) {
      const refused = await client.request('resources/list', { cursor: wrong });
      expect(refused.error?.code, JSON.stringify(wrong)).toBe(-32602);
    }
    const { resourceTemplates } = await client.result('resources/templates/list');
    expect(resourceTemplates).toContainEqual(expect.objectContaining({ uriTemplate: 'events://session/{session_id}' }));
  });

  verifies(['error:resources-codes'], 'each failure has its number', async () => {
    const { client } = await connected({}, shelf(), off);
    const code = async (method: string, params: Json) => (await client.request(method, params)).error?.code;
    const malformed = [
      undefined,
      null,
      7,
      '',
      'text',
      'shelf:text',
      'SHELF://text',
      'shelf://../x',
      'shelf://%2e%2e/x',
    ];
    for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
      for (const uri of [...malformed, 'shelf://a\0b', 'shelf://a%00b', 'shelf://%zz']) {
        expect(await code(method, { uri }), `${method} ${JSON.stringify(uri)}`).toBe(-32602);
      }
    }
    expect(await code('resources/read', { uri: 'gone://x' })).toBe(-32602);
    const failed = await client.request('resources/read', { uri: 'shelf://broken' });
    expect(failed.error).toMatchObject({ code: -32603, message: expect.stringContaining('the shelf fell down') });
    expect(await code('resources/read', { uri: 'dark://text' })).toBe(-32002);
    const { resources } = (await client.result('resources/list')) as { resources: Json[] };
    expect(JSON.stringify(resources)).not.toContain('dark://');
    expect(await client.result('ping')).toEqual({});
  });

  verifies(['limit:blob'], 'blobs of 5 MB are served, far larger ones refused', async () => {
    const fits = await connected({}, shelf(5_000_000));
    expect(String((await read(fits.client, 'shelf://blob')).blob)).toHaveLength(Math.ceil(5_000_000 / 3) * 4);
    const large = await connected({}, shelf(50_000_000));
    const refused = await large.client.request('resources/read', { uri: 'shelf://blob' });
    expect(refused.error).toMatchObject({ code: -32603, message: expect.stringContaining('shelf://blob') });
    expect(await read(large.client, 'shelf://text')).toMatchObject({ text: 'wörds' });
  });
});

describe('subscriptions', () => {
  verifies(
    ['notify:resource-updated', 'mcp:resources-updated', 'resource:subscriptions', 'resource:unsubscribe'],
    'updates reach the sessions that follow the URI, as long as they do',
    async () => {
      const { app, client, connect } = await connected({}, shelf());
      const other = await connect();
      const [mine, theirs] = [await client.stream(), await other.stream()];
      await client.result('resources/subscribe', { uri: 'shelf://text' });
      await other.result('resources/subscribe', { uri: 'shelf://blob' });
      app.resources.updated('shelf://text');
      expect((await mine.next(isUpdate('shelf://text'))).params).toEqual({ uri: 'shelf://text' });
      await client.result('resources/unsubscribe', { uri: 'shelf://text' });
      app.resources.updated('shelf://text');
      // Sent after what must not arrive.
      app.resources.updated('shelf://blob');
      await client.result('resources/subscribe', { uri: 'shelf://broken' });
      app.resources.updated('shelf://broken');
      await theirs.next(isUpdate('shelf://blob'));
      await mine.next(isUpdate('shelf://broken'));
      expect(updatedOf(mine.messages)).toEqual(['shelf://text', 'shelf://broken']);
      expect(updatedOf(theirs.messages)).toEqual(['shelf://blob']);
      for (const stream of [mine, theirs]) stream.close();
    },
  );

  verifies(['session:delete-subscriptions'], 'DELETE drops every subscription of the session', async () => {
    const { app, client } = await connected({}, shelf());
    const held = () => app.kernel.scope.list().filter(label => label.includes('resource subscriptions')).length;
    const before = held();
    for (const uri of ['shelf://text', 'shelf://blob', 'scene://current']) {
      await client.result('resources/subscribe', { uri });
    }
    expect(held()).toBe(before + 1);
    expect((await client.end()).status).toBeLessThan(300);
    expect(held()).toBe(before);
    app.resources.updated('shelf://text');
    expect((await client.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
  });

  verifies(['notify:resource-list-changed'], 'clients hear that the list changed', async () => {
    const { app, client } = await connected();
    const stream = await client.stream();
    app.schemeSessionEvents.createBuffer({ session_id: 's1' });
    await stream.next(({ method }) => method === 'notifications/resources/list_changed');
    const { resources } = (await client.result('resources/list')) as { resources: Json[] };
    expect(resources.map(({ uri }) => uri)).toContain('events://session/s1');
    stream.close();
  });
});

describe('scene', () => {
  const shot = { scene_path: '/shots/010.ma', fps: 24, frame_range: [1, 100], active_camera: 'persp' };

  verifies(['scheme:scene-current', 'scheme:scene-cleared'], 'scene://current is what the host published', async () => {
    const { app, client } = await connected();
    expect(await readJson(client, 'scene://current')).toMatchObject({ status: 'no_snapshot' });
    app.schemeScene.setScene(shot);
    expect(await readJson(client, 'scene://current')).toEqual(shot);
    app.schemeScene.setScene(null);
    expect(await readJson(client, 'scene://current')).toMatchObject({ status: 'no_snapshot' });
  });

  verifies(['scheme:scene-delta'], 'scene://delta tells what changed with the last revision', async () => {
    const { app, client } = await connected();
    app.schemeScene.setScene({ ...shot, nodes: Array.from({ length: 500 }, (_, id) => ({ id, x: 0 })) });
    const first = await readJson(client, 'scene://delta');
    app.schemeScene.setScene({ ...shot, nodes: Array.from({ length: 500 }, (_, id) => ({ id, x: id === 7 ? 1 : 0 })) });
    const second = await readJson(client, 'scene://delta');
    expect(second).toMatchObject({ base_revision: first.revision, revision: Number(first.revision) + 1 });
    expect(second.changes).toEqual([{ path: '/nodes/7/x', kind: 'changed', before: 0, after: 1 }]);
    app.schemeScene.setScene({ ...shot, nodes: Array.from({ length: 500 }, (_, id) => ({ id, x: 5 })) });
    const third = await readJson(client, 'scene://delta');
    expect((third.changes as Json[]).length).toBeLessThanOrEqual(128);
    expect(third.truncated).toBe(true);
  });

  verifies(
    ['scheme:scene-notifies', 'scheme:scene-identical'],
    'a change notifies, the same snapshot does not',
    async () => {
      const { app, client } = await connected();
      const stream = await client.stream();
      for (const uri of ['scene://current', 'scene://delta']) await client.result('resources/subscribe', { uri });
      app.schemeScene.setScene(shot);
      await stream.next(isUpdate('scene://delta'));
      await stream.next(isUpdate('scene://current'));
      app.schemeScene.setScene({ ...shot });
      app.schemeScene.setScene(Object.fromEntries(Object.entries(shot).reverse()));
      await client.result('ping');
      app.schemeScene.setScene({ ...shot, fps: 25 });
      await stream.next(() => updatedOf(stream.messages).length >= 4);
      await client.result('ping');
      expect(updatedOf(stream.messages).sort()).toEqual([
        'scene://current',
        'scene://current',
        'scene://delta',
        'scene://delta',
      ]);
      stream.close();
    },
  );
});

describe('session events', () => {
  const uri = 'events://session/s1';

  verifies(
    ['scheme:session-events', 'scheme:session-events-drain', 'scheme:session-events-bounds'],
    'a page of the buffer, by cursor and limit; drain removes what was read',
    async () => {
      const { app, client } = await connected();
      const buffer = app.schemeSessionEvents.createBuffer({ session_id: 's1', maxlen: 5, max_message_bytes: 8 });
      const base = { source: 'host', stream: 'stdout', level: 'info', tool_call_id: 't', job_id: 'j' } as const;
      for (let index = 1; index <= 7; index += 1)
        buffer.append({ ...base, correlation_id: 'c', message: `line ${index}` });
      const page = await readJson(client, `${uri}?cursor=0&limit=2`);
      expect(page).toMatchObject({ next_cursor: 4, retained_count: 5, dropped_count: 2 });
      expect(page.events).toEqual([
        expect.objectContaining({ ...base, message: 'line 3', session_id: 's1', correlation_id: 'c' }),
        expect.objectContaining({ message: 'line 4' }),
      ]);
      const messages = async (query: string) =>
        ((await readJson(client, `${uri}${query}`)).events as Json[]).map(({ message }) => message);
      expect(await messages('?cursor=4')).toEqual(['line 5', 'line 6', 'line 7']);
      expect(await messages('?cursor=0&limit=2&drain=true')).toEqual(['line 3', 'line 4']);
      expect(await messages('?cursor=0')).toEqual(['line 5', 'line 6', 'line 7']);
      buffer.append({ ...base, message: 'much too long' });
      expect(Buffer.byteLength(String((await messages('?cursor=7'))[0]))).toBeLessThanOrEqual(8);
      for (const query of ['?cursor=x', '?limit=-1', '?drain=maybe', '?more=1']) {
        const refused = await client.request('resources/read', { uri: uri + query });
        expect(refused.error?.code, query).toBe(-32602);
      }
      const unknown = await client.request('resources/read', { uri: 'events://session/nobody' });
      expect(unknown.error?.code).toBe(-32602);
    },
  );
});
