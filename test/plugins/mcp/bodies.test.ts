/** Bodies in every form that a client may give them: byte order marks, compressions, ids at the edge, params as null. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { call, initialize, mcpServer, request } from './wire.ts';

const ping = (id: unknown) => JSON.stringify(call(id, 'ping'));

test('a byte order mark before the body is no part of it', async () => {
  const { post, url, open } = await mcpServer();
  const { session } = await open();
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  expect((await request(url, 'POST', Buffer.concat([mark, Buffer.from(ping(1))]), session)).json).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  expect((await post(`\ufeff${JSON.stringify(initialize('2025-11-25'))}`)).status).toBe(200);
  // One, and at the beginning: elsewhere it is a character like another, alone it is an empty body.
  expect((await post(`\ufeff\ufeff${ping(1)}`, session)).status).toBe(400);
  expect((await request(url, 'POST', mark, session)).json).toMatchObject({ error: { code: -32700 } });
});

test('gzip, deflate and br bodies are read, whatever the case of the name; identity says nothing', async () => {
  const { url, open } = await mcpServer();
  const { session } = await open();
  const text = JSON.stringify(call(1, 'test/echo', { text: 'ä'.repeat(100_000) }));
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(text)],
    ['X-GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ] as const) {
    const answer = await request(url, 'POST', bytes, { ...session, 'content-encoding': encoding });
    expect([encoding, answer.status, (answer.json.result as { text: string }).text.length]).toEqual([
      encoding,
      200,
      100_000,
    ]);
  }
});

test('the bound holds for what a compressed body becomes, and nothing larger is ever made', async () => {
  const { url, post, open } = await mcpServer({ max_request_body_bytes: 65536 });
  const { session } = await open();
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
  const before = process.memoryUsage().arrayBuffers;
  const answer = await request(url, 'POST', bomb.subarray(0, 65536), { ...session, 'content-encoding': 'gzip' });
  expect([answer.status, answer.json]).toMatchObject([413, { error: { data: { code: 'SVC_MCP_BODY_TOO_LARGE' } } }]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  const large = await request(url, 'POST', brotliCompressSync(ping('x'.repeat(65536))), {
    ...session,
    'content-encoding': 'br',
  });
  expect(large.status).toBe(413);
  expect((await post(call(2, 'ping'), session)).status).toBe(200);
});

test('a body that is not what its Content-Encoding says is a parse error; one in an unknown encoding is 415', async () => {
  const { url, open } = await mcpServer();
  const { session } = await open();
  for (const [encoding, bytes] of [
    ['gzip', Buffer.from(ping(1))],
    ['gzip', gzipSync(ping(1)).subarray(0, 20)],
    ['gzip', Buffer.alloc(0)],
    ['deflate', deflateRawSync(ping(1))],
    ['br', Buffer.from(ping(1))],
  ] as const) {
    const answer = await request(url, 'POST', bytes, { ...session, 'content-encoding': encoding });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { error: { code: -32700, message: `Parse error: the body is not ${encoding}` } },
    ]);
  }
  for (const encoding of ['zstd', 'gzip, br', 'compress', 'constructor', 'x']) {
    const answer = await request(url, 'POST', ping(1), { ...session, 'content-encoding': encoding });
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'gzip, deflate, br']);
    expect(answer.json).toMatchObject({ error: { data: { code: 'SVC_MCP_CONTENT_ENCODING' } } });
  }
});

test('params that are null are absent', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  expect((await post({ ...call(1, 'test/echo'), params: null }, session)).json).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized', params: null }, session)).status).toBe(202);
  expect((await post({ ...initialize('2025-11-25'), params: null })).json).toMatchObject({
    result: { protocolVersion: '2025-03-26' },
  });
  const old = await open('2025-03-26');
  expect((await post([{ ...call(1, 'ping'), params: null }], old.session)).json).toMatchObject([{ id: 1, result: {} }]);
});

test('an id comes back as it was sent, or is refused: never another one', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  for (const id of [
    '0',
    '-1',
    '9007199254740991',
    '-9007199254740991',
    '"9007199254740993"',
    '""',
    '"ä\\ud83d\\ude00"',
  ]) {
    const answer = await post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`, session);
    expect(answer.text).toBe(`{"jsonrpc":"2.0","id":${JSON.stringify(JSON.parse(id))},"result":{}}`);
  }
  for (const id of ['9007199254740992', '9007199254740993', '-9007199254740993', '1e300', '1e400', '1.5']) {
    const answer = await post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`, session);
    expect([id, answer.status, answer.json.id ?? null]).toEqual([id, 400, null]);
    expect(answer.json).toMatchObject({ error: { code: -32600, message: expect.stringContaining('2^53') } });
  }
  const old = await open('2025-03-26');
  const batch = await post(
    '[{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    old.session,
  );
  expect(batch.json).toMatchObject([
    { id: null, error: { code: -32600 } },
    { id: 1, result: {} },
  ]);
});

test('the id of a request is told with every refusal that comes after it was read', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  expect(
    (await post('{"jsonrpc":"2.0","id":"p","method":"ping","params":{"__proto__":1}}', session)).json,
  ).toMatchObject({
    id: 'p',
    error: { code: -32600 },
  });
  expect((await post({ jsonrpc: '1.0', id: 7, method: 'ping' }, session)).json).toMatchObject({ id: 7 });
  expect((await post(call(8, 'ping'), { 'mcp-session-id': 'unknown' })).json).toMatchObject({ id: 8 });
});
