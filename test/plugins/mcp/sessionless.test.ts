import { expect, test } from 'vitest';
import { envelope, headersOf, modern, revision, sessionlessServer } from './sessionless-wire.ts';
import { type Answer, call, initialize, type Json, request } from './wire.ts';

const errorOf = (answer: Answer) => answer.json.error as { code: number; message: string; data: Json };
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const everything = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

test('server/discover tells versions, capabilities with extensions, instructions and who answers', async () => {
  const { app, send } = await sessionlessServer({ server_name: 'studio' });
  const { mcp } = app;
  mcp.capability('tools', { listChanged: true });
  const remove = mcp.extension('com.example/thing', { depth: 2 });
  const { status, json, headers } = await send(modern(1, 'server/discover'));
  expect(status).toBe(200);
  expect(headers.get('mcp-session-id')).toBeNull();
  expect(json.result).toMatchObject({
    resultType: 'complete',
    supportedVersions: everything,
    capabilities: { completions: {}, tools: { listChanged: true }, extensions: { 'com.example/thing': { depth: 2 } } },
    instructions: expect.stringContaining('load_skill'),
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'studio', version: expect.any(String) } },
    ttlMs: expect.any(Number),
    cacheScope: 'public',
  });
  await remove();
  const again = (await send(modern('two', 'server/discover'))).json;
  expect(again).toMatchObject({ id: 'two', result: { capabilities: { extensions: {} } } });
  expect(mcp.sessions.size).toBe(0);
});

test('a session hears nothing of extensions, and has no server/discover', async () => {
  const { app, post, open } = await sessionlessServer();
  app.mcp.extension('com.example/thing', {});
  const { answer, session } = await open('2025-11-25');
  expect((answer.json.result as { capabilities: Json }).capabilities).not.toHaveProperty('extensions');
  expect(errorOf(await post(call(1, 'server/discover'), session)).code).toBe(-32601);
});

test('the body decides the lifecycle: an envelope is served without a session, whatever session id comes along', async () => {
  const { app, send, post, open } = await sessionlessServer();
  const { session } = await open('2025-06-18');
  const message = modern(1, 'test/echo', { text: 'x' });
  expect((await send(message, session)).json).toMatchObject({ id: 1, result: { text: 'x', resultType: 'complete' } });
  const unknown = await send(message, { 'mcp-session-id': 'nobody' });
  expect(unknown.status).toBe(200);
  const plain = await post(call(2, 'test/echo', { text: 'x' }), session);
  expect(plain.json.result).toEqual({ text: 'x' });
  expect(app.mcp.sessions.size).toBe(1);
});

test.each([
  ['no envelope', {}, [versionKey, capabilitiesKey]],
  ['no version', { [capabilitiesKey]: {} }, [versionKey]],
  ['no capabilities', { [versionKey]: revision }, [capabilitiesKey]],
])('an envelope with %s is 400, -32602 and named', async (_name, _meta, missing) => {
  const { post } = await sessionlessServer();
  for (const params of [{ _meta }, ...(Object.keys(_meta).length === 0 ? [{}, { _meta: 5 }] : [])]) {
    const message = call(7, 'test/echo', params as Json);
    const answer = await post(message, headersOf(message));
    expect([answer.status, answer.json.id, errorOf(answer).code]).toEqual([400, 7, -32602]);
    expect(errorOf(answer).data.missing).toEqual(missing);
    for (const each of missing) expect(errorOf(answer).message).toContain(each);
  }
});

test.each([
  [{ [versionKey]: 5 }, versionKey],
  [{ [capabilitiesKey]: [] }, capabilitiesKey],
  [{ 'io.modelcontextprotocol/clientInfo': 'me' }, 'clientInfo'],
  [{ 'io.modelcontextprotocol/logLevel': 'loud' }, 'logLevel'],
])('an envelope with %j is 400 and -32602', async (own, named) => {
  const { send } = await sessionlessServer();
  const answer = await send(modern(1, 'test/echo', {}, own));
  expect([answer.status, errorOf(answer).code]).toEqual([400, -32602]);
  expect(errorOf(answer).message).toContain(named);
});

test.each(['v999.0.0', '2099-01-01', '2025-11-25', '2025-03-26'])(
  'an envelope of version %s is 400 and -32022, and says what is spoken here',
  async version => {
    const { send } = await sessionlessServer();
    const message = modern(3, 'test/echo', {}, { [versionKey]: version });
    const answer = await send(message, { 'mcp-protocol-version': version });
    expect([answer.status, answer.json.id, errorOf(answer).code]).toEqual([400, 3, -32022]);
    expect(errorOf(answer).data).toMatchObject({ supported: everything, requested: version });
  },
);

test.each([
  ['mcp-protocol-version', '2025-11-25'],
  ['mcp-protocol-version', undefined],
  ['mcp-method', 'tools/list'],
  ['mcp-method', 'TOOLS/CALL'],
  ['mcp-method', undefined],
  ['mcp-name', 'other'],
  ['mcp-name', undefined],
  ['mcp-name', '=?base64?b25l'],
  ['mcp-name', '=?base64?b25lx?='],
  ['mcp-name', '=?base64?dHdv?='],
])('the header %s: %s where the body says otherwise is 400 and -32020', async (header, value) => {
  const { post, runs } = await sessionlessServer();
  const message = modern(9, 'tools/call', { name: 'one' });
  const { [header]: _, ...rest } = headersOf(message);
  const answer = await post(message, value === undefined ? rest : { ...rest, [header]: value });
  expect([answer.status, answer.json.id, errorOf(answer).code]).toEqual([400, 9, -32020]);
  expect(errorOf(answer).message.toLowerCase()).toContain(header);
  expect(runs).toHaveLength(0);
});

test('headers may be spelled, padded and wrapped as HTTP allows', async () => {
  const { post, app } = await sessionlessServer();
  app.kernel.rpc.method('prompts/get', ({ name }) => ({ name, messages: [] }));
  const spelled = modern(1, 'prompts/get', { name: 'grüße' });
  const wrapped = `  =?base64?${Buffer.from('grüße').toString('base64')}?=  `;
  const { 'mcp-name': _, ...rest } = headersOf(spelled);
  expect((await post(spelled, { ...rest, 'MCP-NAME': wrapped })).json).toMatchObject({ result: { name: 'grüße' } });
  const literal = modern(2, 'prompts/get', { name: '=?base64?open' });
  expect((await post(literal, headersOf(literal))).status).toBe(200);
});

test.each([
  ['initialize', 'without one'],
  ['ping', 'any request'],
  ['logging/setLevel', 'logLevel'],
  ['resources/subscribe', 'subscriptions/listen'],
  ['resources/unsubscribe', 'subscriptions/listen'],
  ['no/such', 'no/such'],
])('%s is no method of the revision: 404, -32601 and what to do instead', async (method, says) => {
  const { app, send } = await sessionlessServer();
  const answer = await send(modern(1, method));
  expect([answer.status, answer.json.id, errorOf(answer).code]).toEqual([404, 1, -32601]);
  expect(errorOf(answer).message).toContain(says);
  expect(app.mcp.sessions.size).toBe(0);
});

test('an initialize that is not all of the new kind opens a session, whatever it carries', async () => {
  const { app, post } = await sessionlessServer();
  const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'initialize' };
  const metas = [
    {},
    { [versionKey]: revision },
    envelope({ [versionKey]: '2025-11-25' }),
    envelope({ [versionKey]: 'x' }),
  ];
  for (const _meta of metas) {
    const answer = await post(initialize('2025-11-25', { _meta }), headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('mcp-session-id')).toBeTruthy();
  }
  expect(app.mcp.sessions.size).toBe(metas.length);
});

test('batches, responses and what is no message are 400 and -32600', async () => {
  const { post } = await sessionlessServer();
  const headers = { 'mcp-protocol-version': revision };
  const batches = [[modern(1, 'test/echo')], [call(1, 'ping'), modern(2, 'test/echo')]];
  for (const each of batches) {
    const answer = await post(each);
    expect([answer.status, errorOf(answer).code]).toEqual([400, -32600]);
    expect(errorOf(answer).message).toContain('batches');
  }
  for (const each of [[call(1, 'ping')], { jsonrpc: '2.0', id: 4, result: {} }, { jsonrpc: '2.0' }, 5]) {
    const answer = await post(JSON.stringify(each), headers);
    expect([answer.status, errorOf(answer).code]).toEqual([400, -32600]);
  }
});

test('a notification is accepted, and refused only for what its envelope says', async () => {
  const { post } = await sessionlessServer();
  const headers = { 'mcp-protocol-version': revision };
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await post(cancelled, headers)).status).toBe(202);
  const enveloped = { ...cancelled, params: { requestId: 1, _meta: envelope() } };
  expect(await post(enveloped, headers)).toMatchObject({ status: 202, text: '' });
  const other = { ...cancelled, params: { _meta: envelope({ [versionKey]: '2099-01-01' }) } };
  const answer = await post(other, { 'mcp-protocol-version': '2099-01-01' });
  expect([answer.status, errorOf(answer).code]).toEqual([400, -32022]);
});

test('errors of a handler stay 200; an undeclared capability is 400, a feature that is off 404', async () => {
  const { app, send } = await sessionlessServer();
  const { rpc } = app.kernel;
  rpc.method('test/throws', () => {
    throw new Error('broken');
  });
  const broken = await send(modern(1, 'test/throws'));
  expect([broken.status, errorOf(broken).code]).toEqual([200, -32603]);
  const undeclared = await send(modern(2, 'tools/call', { name: 'sampling' }));
  expect([undeclared.status, errorOf(undeclared).code]).toEqual([400, -32021]);
  expect(errorOf(undeclared).data.requiredCapabilities).toEqual({ sampling: {} });
  const foreign = await send(modern(3, 'tools/call', { name: 'foreign' }));
  expect([foreign.status, errorOf(foreign).code]).toEqual([200, -32603]);
  const elsewhere = await send(modern(4, 'test/ask', {}, { [capabilitiesKey]: { roots: {} } }));
  expect(errorOf(elsewhere).data.code).toBe('SVC_MCP_UNASKABLE');
});

test('a POST without an envelope and without the header is a session affair as ever', async () => {
  const { url, post } = await sessionlessServer();
  expect(errorOf(await post(call(1, 'ping'))).data.code).toBe('SVC_MCP_SESSION_REQUIRED');
  const got = await request(url, 'GET', undefined, { accept: 'text/event-stream' });
  expect(got.status).toBe(400);
});
