import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { events, raw, restApp } from './support.ts';

const path = (uri: string) => `/v1/resources/${encodeURIComponent(uri)}`;

test('GET /v1/resources lists with total and request_id [spec:shape:instance]', async () => {
  const { get } = await restApp();
  const answer = await get('/v1/resources', { headers: { 'X-Request-Id': 'abc-1' } });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    total: 1,
    resources: [{ uri: 'memo://one', name: 'One', mimeType: 'text/plain' }],
    request_id: 'abc-1',
  });
  expect(answer.headers['x-request-id']).toBe('abc-1');
});

test('the request id is made when the client gives none, or one that is no modest printable text [spec:shape:correlation]', async () => {
  const { get } = await restApp();
  const ids = new Set<unknown>();
  for (const header of [undefined, 'x'.repeat(129), 'with blank']) {
    const { json, headers } = await get(
      '/v1/resources',
      header === undefined ? {} : { headers: { 'x-request-id': header } },
    );
    expect(json.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['x-request-id']).toBe(json.request_id);
    ids.add(json.request_id);
  }
  expect(ids.size).toBe(3);
});

test('GET /v1/resources/{uri} reads one percent-encoded URI; 404 not-found in the flat envelope [spec:shape:instance]', async () => {
  const { get, asked } = await restApp();
  const found = await get(path('memo://a/b?x=1&y=%20#z'));
  expect(found.json).toEqual({
    contents: [{ uri: 'memo://a/b?x=1&y=%20#z', mimeType: 'text/plain', text: 'text of memo://a/b?x=1&y=%20#z' }],
  });
  expect(asked).toEqual(['memo://a/b?x=1&y=%20#z']);
  for (const uri of ['memo://none', 'nobody://here']) {
    const missing = await get(path(uri), { headers: { 'x-request-id': 'r1' } });
    expect(missing.status).toBe(404);
    expect(missing.json).toMatchObject({ kind: 'not-found', code: 'SVC_RESOURCES_NOT_FOUND', request_id: 'r1' });
    expect(missing.json.message).toContain(uri);
  }
  const failed = await get(path('memo://fails'));
  expect(failed.status).toBe(500);
  expect(failed.json).toMatchObject({ kind: 'internal', message: expect.stringContaining('the disk is gone') });
  for (const uri of ['memo://a/../b', 'MEMO://one', 'one', 'memo://a\nb', 'memo://%00', 'memo://%zz', ' ']) {
    const refused = await get(path(uri));
    expect(refused.status, uri).toBe(400);
    expect(refused.json).toMatchObject({ kind: 'invalid-params', code: 'SVC_RESOURCES_BAD_URI' });
  }
  expect(asked.filter(uri => /\.\.|MEMO|%00/.test(uri))).toEqual([]);
});

test('a URI of 4,000 characters is read, one beyond the limit is refused', async () => {
  const { get } = await restApp();
  const long = `memo://${'ü'.repeat(1500)}`;
  expect((await get(path(long))).json).toMatchObject({ contents: [{ uri: long }] });
  const longer = await get(path(`memo://${'a'.repeat(5000)}`));
  expect(longer.status).toBe(400);
  expect(longer.json.message).toContain('longer than');
});

test('enable_resources off: every route is 404 and says so; prompts stay', async () => {
  const { get } = await restApp({}, { enable_resources: false });
  for (const each of ['/v1/resources', path('memo://one'), `${path('memo://one')}/events`]) {
    const answer = await get(each);
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ kind: 'not-found', code: 'SVC_RESOURCES_OFF' });
  }
  expect((await get('/v1/prompts')).status).toBe(200);
});

test('the guard stands before the routes: a foreign Host or Origin is 403 in the one envelope of the door', async () => {
  const { get } = await restApp();
  for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
    for (const each of ['/v1/resources', path('memo://one'), `${path('memo://one')}/events`, '/v1/prompts', '/v1/x']) {
      const answer = await get(each, { headers: { ...headers, 'x-request-id': 'r2' } });
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({
        code: /SVC_GUARD_(HOST|ORIGIN)_FORBIDDEN/.exec(answer.text)?.[0],
        request_id: 'r2',
      });
    }
  }
});

test('unknown routes and methods are 404 not-found', async () => {
  const { get } = await restApp();
  for (const [each, method] of [
    ['/v1/nothing', 'GET'],
    ['/v1/resources', 'POST'],
    ['/v1/resources/a/b/c', 'GET'],
    [`${path('memo://one')}/events`, 'HEAD'],
  ] as const) {
    const answer = await get(each, { method });
    expect(answer.status, `${method} ${each}`).toBe(404);
    if (method !== 'HEAD') expect(answer.json).toMatchObject({ kind: 'not-found', request_id: expect.any(String) });
  }
});

const piece = fc.oneof(
  fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%00',
    '%2F',
    '%2f',
    '%252F',
    '%25',
    '%C3%28',
    '%FF',
    '..',
    '%2e%2e',
    '/',
    '//',
    ';',
    '?',
    '+',
  ),
  fc.constantFrom('memo', ':', '%3A%2F%2F', 'one', '\\', '%5C', '%0a', '%E2%82%AC'),
  fc.stringMatching(/^[!-~]{0,6}$/),
);

test('property: hostile percent-encodings get an answer of the table, and the producer only well-formed URIs', async () => {
  const { url, asked, app } = await restApp();
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async pieces => {
      const tail = pieces.join('').replaceAll('#', '');
      const answer = await raw(url, `/v1/resources/${tail}`.replace(/\/events(\?|$)/, '/event$1'));
      expect([200, 400, 404]).toContain(answer.status);
      if (answer.status === 200) expect(answer.json.contents ?? answer.json.resources).toBeDefined();
      else expect(answer.json).toMatchObject({ kind: expect.any(String), message: expect.any(String) });
    }),
    { numRuns: 300 },
  );
  for (const uri of asked) {
    expect(uri).toMatch(/^memo:\/\//);
    expect(uri.split(/[/\\]/)).not.toContain('..');
  }
  expect(app.server.listening).toBe(true);
});

test('property: every URI that encodeURIComponent makes arrives as it was', async () => {
  const { url, asked } = await restApp();
  const text = fc
    .string({ unit: 'grapheme', maxLength: 30 })
    .filter(each => !/[\s\p{Cc}]|\.\.?([/\\]|$)|%/u.test(each));
  await fc.assert(
    fc.asyncProperty(text, async rest => {
      const uri = `memo://x${rest}`;
      const answer = await raw(url, path(uri));
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200) expect(asked.at(-1)).toBe(uri);
    }),
    { numRuns: 150 },
  );
});

test('/events is an event stream of {type, uri}, for that URI alone [spec:shape:instance]', async () => {
  const { app, url } = await restApp();
  const stream = await events(url, `${path('memo://one')}/events`);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.response.headers.get('x-request-id')).toMatch(/./);
  app.resources.updated('memo://two');
  app.resources.updated('memo://one');
  await waitFor(() => stream.received.data.length > 0, 'the event');
  expect(stream.received.data).toEqual([{ type: 'updated', uri: 'memo://one' }]);
  for (const [uri, status] of [
    ['nobody://x', 404],
    ['memo://a/../b', 400],
  ] as const) {
    expect((await raw(url, `${path(uri)}/events`)).status).toBe(status);
  }
});

test('/events tells that the resource is gone, with its producer or by itself, and goes on [spec:shape:instance]', async () => {
  const { app, url } = await restApp();
  const scheme = 'shelf';
  const producer = { scheme, list: () => [], read: (uri: string) => [{ uri, text: 'x' }] };
  const remove = app.resources.addProducer(producer);
  const [one, two] = [
    await events(url, `${path('shelf://one?x=1')}/events`),
    await events(url, `${path('shelf://two')}/events`),
  ];
  const other = await events(url, `${path('memo://one')}/events`);
  app.resources.removed('shelf://one');
  await waitFor(() => one.received.data.length === 1, 'the event of the one');
  await remove();
  await remove();
  await waitFor(() => two.received.data.length === 1, 'the event of the other');
  app.resources.addProducer(producer);
  app.resources.updated('shelf://two');
  await waitFor(() => two.received.data.length === 2, 'an update after it came back');
  const gone = (uri: string) => ({ type: 'removed', uri });
  expect(one.received.data).toEqual([gone('shelf://one?x=1'), gone('shelf://one?x=1')]);
  expect(two.received.data).toEqual([gone('shelf://two'), { type: 'updated', uri: 'shelf://two' }]);
  expect(other.received.data).toEqual([]);
});

test('a client that goes away leaves nothing; streams are bounded by max_sessions', async () => {
  const { url } = await restApp({}, { max_sessions: 2 });
  const target = `${path('memo://one')}/events`;
  const [one] = [await events(url, target), await events(url, target)];
  const refused = await raw(url, target);
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({ code: 'SVC_RESOURCES_TOO_MANY_STREAMS' });
  one?.cut();
  const again = await waitFor(async () => {
    const next = await events(url, target);
    return next.response.status === 200 ? next : undefined;
  }, 'a free place');
  expect(again.response.headers.get('content-type')).toBe('text/event-stream');
});

test('an idle stream gets comment lines, and ends when the server closes', async () => {
  const { app, url } = await restApp({}, { sse_heartbeat_secs: 1 });
  const stream = await events(url, `${path('memo://one')}/events`);
  await waitFor(() => stream.received.comments > 0, 'a heartbeat');
  await app.close();
  await stream.ended;
  expect(stream.received.ended).toBe(true);
});

test('a client that does not read is cut off; another misses nothing', async () => {
  const { app, url } = await restApp({}, { sse_client_max_bytes: 4096, resource_update_interval_ms: 0 });
  const uri = `memo://${'long'.repeat(900)}`;
  const stream = await events(url, `${path(uri)}/events`);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const gone = new Promise(resolve => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.write(`GET ${path(uri)}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await new Promise(resolve => socket.once('readable', resolve));
  socket.pause();
  let sent = 0;
  const open = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const before = await open();
  await waitFor(
    async () => {
      for (let round = 0; round < 50; round += 1) {
        app.resources.updated(uri);
        sent += 1;
        await new Promise(resolve => setImmediate(resolve));
      }
      return (await open()) < before;
    },
    'the silent client to be cut off',
    20_000,
  );
  await waitFor(() => stream.received.data.length === sent, 'the reader to have all');
  socket.destroy();
  await gone;
}, 30_000);
