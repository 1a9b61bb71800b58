import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { type Answer, call, initialize, mcpServer, request } from './wire.ts';

const errorOf = (answer: Answer) => answer.json.error as { code: number; message: string; data: { code: string } };

test('malformed JSON and invalid UTF-8 are 400 / -32700', async () => {
  const { app, url, post, open } = await mcpServer();
  const { session } = await open();
  for (const body of ['{', '', 'nope', '{"a":1,}', '\u0000', '"\\ud800']) {
    const answer = await post(body, session);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
    // The session is one of 2025-11-25, which wants no id where none is known.
    expect(answer.json).not.toHaveProperty('id');
  }
  const bytes = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}}'),
  ]);
  const answer = await request(url, 'POST', bytes, session);
  expect(answer.status).toBe(400);
  expect(errorOf(answer).code).toBe(-32700);
  expect(errorOf(answer).message).toContain('UTF-8');
  expect(app.mcp.sessions.size).toBe(1);
});

test('prototype keys anywhere, plain or escaped, are 400 / -32600 and named', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  const message = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"test/echo","params":${params}}`;
  for (const [params, name] of [
    ['{"__proto__":{"x":1}}', '__proto__'],
    ['{"a":[{"__proto__":null}]}', '__proto__'],
    ['{"\\u005f_proto__":{"x":1}}', '__proto__'],
    ['{"constructor":{"prototype":{"x":1}}}', 'constructor.prototype'],
    ['{"a":{"c\\u006fnstructor":{"prototype":1}}}', 'constructor.prototype'],
  ] as const) {
    const answer = await post(message(params), session);
    expect(answer.status).toBe(400);
    expect(errorOf(answer).code).toBe(-32600);
    expect(errorOf(answer).message).toContain(name);
  }
  const harmless = '{"text":"__proto__ and constructor","constructor":"x","u":"\\u0041"}';
  expect((await post(message(harmless), session)).json).toMatchObject({ result: { constructor: 'x', u: 'A' } });
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test('what is no message is 400 / -32600', async () => {
  const { app, post, open } = await mcpServer();
  const { session } = await open();
  const bad = [
    ...[1, 'text', null, true, {}],
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: [1], method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 5 },
    { jsonrpc: '2.0', id: 1, method: '' },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' },
    { jsonrpc: '2.0', id: 1, result: {}, error: {} },
    { jsonrpc: '2.0', id: 1 },
  ];
  for (const message of bad) {
    const answer = await post(JSON.stringify(message), session);
    expect([answer.status, errorOf(answer).code]).toEqual([400, -32600]);
  }
  expect(app.mcp.sessions.size).toBe(1);
});

test('an unknown method is -32601, an unknown notification is accepted', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  expect((await post(call(1, 'no/such'), session)).json).toMatchObject({ id: 1, error: { code: -32601 } });
  for (const method of ['notifications/initialized', 'notifications/roots/list_changed', 'notifications/other']) {
    const answer = await post({ jsonrpc: '2.0', method }, session);
    expect([answer.status, answer.text]).toEqual([202, '']);
  }
  expect((await post({ jsonrpc: '2.0', id: 'nobody-asked', result: {} }, session)).status).toBe(202);
});

test('an id that is in flight cannot be used again in the same session; 1 and "1" differ', async () => {
  const { post, open, release, gates } = await mcpServer();
  const { session } = await open();
  const other = await open();
  const running = post(call(1, 'test/wait', { name: 'a', quiet: true }), session);
  await waitFor(() => gates.a, 'the call');
  const again = await post(call(1, 'ping'), session);
  expect([again.status, errorOf(again).code]).toEqual([400, -32600]);
  expect((await post(call('1', 'ping'), session)).json).toMatchObject({ result: {} });
  expect((await post(call(1, 'ping'), other.session)).json).toMatchObject({ result: {} });
  await release('a');
  expect((await running).json).toMatchObject({ id: 1, result: { waited: 'a' } });
  expect((await post(call(1, 'ping'), session)).json).toMatchObject({ result: {} });
});

test('very deep nesting overflows nothing', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const nested = `${'{"a":'.repeat(100_000)}{"__proto__":1}${'}'.repeat(100_000)}`;
  expect((await post(deep, session)).status).toBe(400);
  expect((await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`, session)).status).toBe(200);
  const echoed = await post(`{"jsonrpc":"2.0","id":1,"method":"test/echo","params":{"a":${deep}}}`, session);
  expect([200, 400]).toContain(echoed.status);
  const poisoned = await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested}}`, session);
  expect(errorOf(poisoned).message).toContain('__proto__');
  expect((await post(call(2, 'ping'), session)).status).toBe(200);
});

test('a body over max_request_body_bytes is 413 with a JSON-RPC error, sent whole or in chunks', async () => {
  const { app, url, post, open } = await mcpServer();
  const { session } = await open();
  const five = JSON.stringify(call(1, 'test/echo', { text: 'x'.repeat(5 * 1024 * 1024) }));
  const answer = await post(five, session);
  expect(answer.status).toBe(413);
  expect(errorOf(answer).data.code).toBe('SVC_MCP_BODY_TOO_LARGE');
  expect(errorOf(answer).message).toContain('4194304');
  const chunked = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session },
    body: new Blob([five]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  await chunked.text();
  const fits = JSON.stringify(call(1, 'test/echo', { text: 'x'.repeat(4_000_000) }));
  expect((await post(fits, session)).status).toBe(200);
  expect(app.mcp.sessions.size).toBe(1);
});

test('a POST that is not JSON is 415 with a JSON-RPC error; parameters of the media type are fine', async () => {
  const { url, post } = await mcpServer();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
    const answer = await request(url, 'POST', '{}', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(errorOf(answer).data.code).toBe('SVC_MCP_MEDIA_TYPE');
  }
  const typed = { 'content-type': 'Application/JSON; charset=utf-8' };
  expect((await post(initialize('2025-11-25'), typed)).status).toBe(200);
});

test('POST without Accept, as curl sends it, is answered as JSON', async () => {
  const { post } = await mcpServer();
  for (const accept of ['*/*', 'text/html', '']) {
    const answer = await post(initialize('2025-11-25'), { accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  }
});

test('half-open and half-sent requests leave nothing behind and do not hold close()', async () => {
  const { app, url, open } = await mcpServer({ shutdown_grace_ms: 50 });
  const { session } = await open();
  const { port } = new URL(url);
  const begin = (text: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(text);
    return socket;
  };
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nMcp-Session-Id: ${session['mcp-session-id']}\r\n`;
  const gone = begin(`${head}Content-Length: 500\r\n\r\n{"jsonrpc"`);
  const silent = begin(`${head}Content-Length: 500\r\n\r\n{"jsonrpc"`);
  begin('');
  await new Promise(resolve => setTimeout(resolve, 50));
  gone.destroy();
  const inner = app.mcp.sessions.get(session['mcp-session-id']) as unknown as { calls: Map<unknown, unknown> };
  await expect.poll(() => inner.calls.size).toBe(0);
  expect(silent.destroyed).toBe(false);
  const started = Date.now();
  await app.close();
  expect(Date.now() - started).toBeLessThan(8000);
});

test('a slow client is cut off at sse_client_max_bytes, and its session lives on', async () => {
  const { app, url, post, open } = await mcpServer({ sse_client_max_bytes: 65536 });
  const { session } = await open('2025-06-18');
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session['mcp-session-id']}\r\n\r\n`,
  );
  const inner = app.mcp.sessions.get(session['mcp-session-id']) as unknown as { standing?: { attached: boolean } };
  await waitFor(() => inner.standing?.attached, 'the stream');
  socket.pause();
  const text = 'x'.repeat(50_000);
  await waitFor(() => {
    for (let each = 0; each < 20; each += 1) app.mcp.broadcast('notifications/x', { text });
    return !inner.standing?.attached;
  }, 'the cut');
  expect((await post(call(1, 'ping'), session)).status).toBe(200);
  socket.destroy();
});
