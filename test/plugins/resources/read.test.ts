import { expect, test } from 'vitest';
import type { ResourceProducer } from '../../../plugins/resources/api.ts';
import { errorOf, resourceServer, texts } from './support.ts';

const producer = (scheme: string, read: ResourceProducer['read']): ResourceProducer => ({
  scheme,
  list: () => [],
  read,
});

test('resources capability has subscribe and listChanged true [spec:mcp:initialize-resources]', async () => {
  const wire = await (await resourceServer()).connect();
  expect(wire.initialized.result?.capabilities).toMatchObject({ resources: { subscribe: true, listChanged: true } });
});

test('resources/list is paginated in the order of the producers; a cursor of the future is -32602 [spec:resource:pages]', async () => {
  const server = await resourceServer([texts('one', 3), texts('two', 2)], { resources_page_size: 2 });
  const wire = await server.connect();
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await wire.result('resources/list', cursor === undefined ? {} : { cursor });
    found.push(...(page.resources as { uri: string }[]).map(each => each.uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(['one://item/0', 'one://item/1', 'one://item/2', 'two://item/0', 'two://item/1']);
  for (const bad of [Buffer.from('900').toString('hex'), 'zz', '-1', 'ffffffff', 7, '', {}]) {
    expect(await errorOf(wire, 'resources/list', { cursor: bad })).toMatchObject({ number: -32602 });
  }
});

test('resources/read gives contents with uri, mimeType and text, or a base64 blob [spec:resource:contents]', async () => {
  const bytes = producer('bytes', uri => [{ uri, mimeType: 'image/png', blob: new Uint8Array([1, 2, 3]) as never }]);
  const wire = await (await resourceServer([texts('one'), bytes])).connect();
  expect(await wire.result('resources/read', { uri: 'one://item/0' })).toEqual({
    contents: [{ uri: 'one://item/0', mimeType: 'text/plain', text: 'text of one://item/0' }],
  });
  expect(await wire.result('resources/read', { uri: 'bytes://x' })).toEqual({
    contents: [{ uri: 'bytes://x', mimeType: 'image/png', blob: 'AQID' }],
  });
});

test('resources/templates/list and the completion of their variables [spec:resource:templates]', async () => {
  const wire = await (await resourceServer([texts('one', 12)])).connect();
  const { resourceTemplates } = await wire.result('resources/templates/list');
  expect(resourceTemplates).toEqual([{ uriTemplate: 'one://item/{n}', name: 'item' }]);
  const ask = (uri: string) =>
    wire.result('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'n', value: '1' } });
  expect(await ask('one://item/{n}')).toMatchObject({ completion: { values: ['1', '10', '11'] } });
});

test('every resources/* method is -32601 when enable_resources is false', async () => {
  const wire = await (await resourceServer([texts('one')], { enable_resources: false })).connect();
  for (const name of ['list', 'read', 'templates/list', 'subscribe', 'unsubscribe']) {
    expect(await errorOf(wire, `resources/${name}`, { uri: 'one://item/0' })).toMatchObject({ number: -32601 });
  }
  expect(wire.initialized.result?.capabilities).not.toHaveProperty('resources');
});

test.each([
  undefined,
  '',
  7,
  null,
  ['one://item/0'],
  'one',
  'ONE://item/0',
  'One://item/0',
  'one://item/../0',
  'one://item/..%2f0',
  'one://item/%2e%2e/0',
  'one://item/%252e%252e/0',
  'one://item\\..\\0',
  'one://item/\u0000',
  'one://item/%00',
  'one://item/%2500',
  'one://item/%zz',
  'one://item/%',
  'one://item/%ff',
  'one://item 0',
  '\ud800://x',
  'one://\ud800',
  `one://${'x'.repeat(5000)}`,
])('uri missing or malformed is -32602: %j [spec:error:resources-codes]', async uri => {
  const wire = await (await resourceServer([texts('one')])).connect();
  for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
    const error = await errorOf(wire, method, uri === undefined ? {} : { uri });
    expect(error).toMatchObject({ number: -32602, code: 'SVC_RESOURCES_BAD_URI' });
  }
});

test('a URI without a path is for producers that have such', async () => {
  const own: ResourceProducer = { ...texts('isbn'), opaque: true, read: uri => [{ uri, text: uri }] };
  const wire = await (await resourceServer([texts('one'), own])).connect();
  for (const method of ['resources/read', 'resources/subscribe']) {
    expect(await errorOf(wire, method, { uri: 'one:/item/0' })).toMatchObject({ code: 'SVC_RESOURCES_BAD_URI' });
  }
  expect(await wire.result('resources/read', { uri: 'isbn:0451' })).toMatchObject({
    contents: [{ text: 'isbn:0451' }],
  });
  for (const uri of ['isbn:', 'isbn: 1', 'isbn:a/../b', `isbn:${'x'.repeat(70_000)}`]) {
    expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({ code: 'SVC_RESOURCES_BAD_URI' });
  }
});

test('a URI or scheme that nobody serves is not found (-32002), a percent sign in a name is not an attack [spec:error:resources-codes]', async () => {
  const wire = await (await resourceServer([texts('one')])).connect();
  for (const uri of ['one://item/99', 'nobody://item', 'one://100%25', 'one://']) {
    expect(await errorOf(wire, 'resources/read', { uri })).toMatchObject({
      number: -32002,
      code: 'SVC_RESOURCES_NOT_FOUND',
    });
  }
});

test('a scheme whose backend is disabled is -32002, and neither listed nor offered as a template [spec:error:resources-codes]', async () => {
  const wire = await (await resourceServer([{ ...texts('off'), enabled: () => false }])).connect();
  expect(await errorOf(wire, 'resources/read', { uri: 'off://item/0' })).toMatchObject({ number: -32002 });
  expect(await errorOf(wire, 'resources/subscribe', { uri: 'off://item/0' })).toMatchObject({ number: -32002 });
  expect(await wire.result('resources/list')).toEqual({ resources: [] });
  expect(await wire.result('resources/templates/list')).toEqual({ resourceTemplates: [] });
});

test('a producer that throws, hangs, gives 50 MB or nonsense is -32603; 5 MB are served, other schemes are untouched [spec:error:resources-codes spec:limit:blob]', async () => {
  let aborted = false;
  const hang = producer('hang', (_, { signal }) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => undefined);
  });
  const producers = [
    producer('throws', () => {
      throw new Error('the backend is gone');
    }),
    producer('rejects', () => Promise.reject('plain text')),
    producer('odd', () => Promise.reject({ toString: 5 })),
    hang,
    producer('huge', uri => [{ uri, blob: 'A'.repeat(50_000_000) }]),
    producer('large', uri => [{ uri, blob: Buffer.alloc(5_000_000, 7).toString('base64') }]),
    producer('nonsense', () => [{ uri: 'x', colour: 'red' }] as never),
    producer('none', () => null as never),
    texts('fine'),
  ];
  const wire = await (await resourceServer(producers, { request_timeout_ms: 1500 })).connect();
  const failing = Promise.all(
    ['throws', 'rejects', 'odd', 'hang', 'huge', 'nonsense'].map(scheme =>
      errorOf(wire, 'resources/read', { uri: `${scheme}://x` }),
    ),
  );
  expect(await wire.result('resources/read', { uri: 'fine://item/0' })).toHaveProperty('contents');
  const { contents } = await wire.result('resources/read', { uri: 'large://x' });
  expect((contents as [{ blob: string }])[0].blob).toHaveLength(Math.ceil(5_000_000 / 3) * 4);
  const [throws, ...others] = await failing;
  expect(throws).toMatchObject({ number: -32603, code: 'SVC_RESOURCES_FAILED' });
  expect(throws?.message).toContain('the backend is gone');
  for (const each of others) expect(each.number).toBe(-32603);
  expect(others[3]).toMatchObject({ code: 'SVC_RESOURCES_TOO_LARGE' });
  expect(aborted).toBe(true);
  expect(await errorOf(wire, 'resources/read', { uri: 'none://x' })).toMatchObject({ code: 'SVC_RESOURCES_NOT_FOUND' });
});

test('a producer whose list throws, hangs or holds nonsense does not spoil the list of the others', async () => {
  const bad = (scheme: string, list: () => unknown): ResourceProducer => ({
    scheme,
    list: list as never,
    read: () => undefined,
  });
  const server = await resourceServer(
    [
      bad('throws', () => {
        throw new Error('no');
      }),
      bad('hangs', () => new Promise(() => undefined)),
      bad('text', () => 'nothing'),
      bad('mixed', () => [null, 5, { uri: 'mixed://x', name: 'kept', secret: 1 }, { name: 'without a uri' }]),
      texts('fine'),
    ],
    { request_timeout_ms: 200 },
  );
  const { resources } = await (await server.connect()).result('resources/list');
  expect((resources as unknown[])[0]).toEqual({ uri: 'mixed://x', name: 'kept' });
  expect((resources as { uri: string }[]).map(each => each.uri)).toEqual(['mixed://x', 'fine://item/0']);
});

test('a scheme belongs to one producer; a scheme in capitals is refused', async () => {
  const { app } = await resourceServer([texts('one')]);
  expect(() => app.resources.addProducer(texts('one'))).toThrow(/registered already/);
  expect(() => app.resources.addProducer(texts('Two'))).toThrow(/lower-case/);
});

test('a read is given up when its caller cancels', async () => {
  const { app } = await resourceServer([producer('hang', () => new Promise(() => undefined))]);
  await expect(app.resources.read('hang://x', AbortSignal.abort())).rejects.toThrow(/cancelled/);
});
