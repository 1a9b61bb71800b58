import { expect, test } from 'vitest';
import { packageVersion } from '../../../kernel/index.ts';
import { waitFor } from '../../helper.ts';
import { call, initialize, mcpServer, request, stream } from './wire.ts';

test('initialize echoes a supported version and otherwise answers the newest (shape:None) [spec:version:negotiation]', async () => {
  const { open } = await mcpServer();
  for (const [asked, answered] of [
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    ['nonsense', '2025-11-25'],
  ] as const) {
    const { answer } = await open(asked);
    expect(answer.status).toBe(200);
    expect(answer.json.result).toMatchObject({ protocolVersion: answered });
  }
});

test('initialize answers capabilities, identity and the workflow sentence', async () => {
  const { app, open, post } = await mcpServer({ server_name: 'studio', server_version: '9.9' });
  const remove = app.mcp.capability('tools', { listChanged: true });
  const { answer } = await open('2025-06-18');
  expect(answer.json.result).toEqual({
    protocolVersion: '2025-06-18',
    capabilities: { logging: {}, completions: {}, tools: { listChanged: true } },
    serverInfo: { name: 'studio', title: 'studio', version: '9.9' },
    instructions: expect.stringMatching(/Search tools and skills.*load.*call.*paginated/),
  });
  void remove();
  const old = await open('2025-03-26');
  expect(old.answer.json.result).toMatchObject({ serverInfo: { name: 'studio', version: '9.9' } });
  expect((old.answer.json.result as { serverInfo: object }).serverInfo).not.toHaveProperty('title');
  expect((old.answer.json.result as { capabilities: object }).capabilities).not.toHaveProperty('tools');
  const bare = await post({ jsonrpc: '2.0', id: 'x', method: 'initialize' });
  expect(bare.json).toMatchObject({ id: 'x', result: { protocolVersion: '2025-03-26' } });
  expect(app.mcp.sessions.get(bare.headers.get('mcp-session-id') ?? '')?.clientInfo).toEqual({
    name: 'unknown',
    version: '0',
  });
});

test('server_version null means the package version', async () => {
  const { open } = await mcpServer();
  const { answer } = await open();
  expect(answer.json.result).toMatchObject({ serverInfo: { name: 'svc', version: packageVersion } });
});

test('a session id is visible ASCII, a missing one is 400, an unknown one 404, DELETE ends it [spec:session:id-issued spec:auth:session-header spec:mcp:ping spec:session:id-missing spec:session:id-unknown spec:session:delete-ends spec:endpoint:delete]', async () => {
  const { app, url, post, open } = await mcpServer();
  const { session } = await open();
  expect(session['mcp-session-id']).toMatch(/^[\x21-\x7e]{8,}$/);
  expect((await post(call(1, 'ping'), session)).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  const missing = await post(call(2, 'ping'));
  expect(missing.status).toBe(400);
  expect(missing.json).toMatchObject({ id: 2, error: { code: -32600, data: { code: 'SVC_MCP_SESSION_REQUIRED' } } });
  const unknown = await post(call(3, 'ping'), { 'mcp-session-id': 'nobody' });
  expect(unknown.status).toBe(404);
  expect(unknown.json).toMatchObject({ id: 3, error: { data: { code: 'SVC_MCP_SESSION_UNKNOWN' } } });

  const scope = app.mcp.sessions.get(session['mcp-session-id'])?.scope;
  let undone = false;
  scope?.add('belonging', () => {
    undone = true;
  });
  expect((await request(url, 'DELETE', undefined, session)).status).toBe(204);
  expect(undone).toBe(true);
  expect(app.mcp.sessions.size).toBe(0);
  expect((await post(call(4, 'ping'), session)).status).toBe(404);
  expect((await request(url, 'DELETE', undefined, session)).status).toBe(404);
  expect((await request(url, 'DELETE', undefined)).status).toBe(400);
});

test('DELETE answers the calls in flight with an error, aborts them and ends the streams', async () => {
  const { url, post, open, gates, aborted, app } = await mcpServer();
  const { session } = await open();
  const standing = await stream(url, session);
  const running = post(call('slow', 'test/wait', { name: 'a', quiet: true }), session);
  await waitFor(() => gates.a, 'the call');
  expect((await request(url, 'DELETE', undefined, session)).status).toBe(204);
  expect((await running).json).toMatchObject({
    id: 'slow',
    error: { code: -32603, data: { code: 'SVC_RPC_CANCELLED' } },
  });
  expect(aborted).toEqual(['a']);
  await standing.ended();
  expect(app.kernel.scope.list().filter(each => each.includes('session:'))).toEqual([]);
});

test('MCP-Protocol-Version: absent or supported is fine, anything else 400', async () => {
  const { url, post, open } = await mcpServer();
  const { session } = await open('2025-06-18');
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    expect((await post(call(1, 'ping'), { ...session, 'mcp-protocol-version': version })).status).toBe(200);
  }
  for (const version of ['2024-11-05', 'v999.0.0', '']) {
    const answer = await post(call(1, 'ping'), { ...session, 'mcp-protocol-version': version });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: -32600, data: { code: 'SVC_MCP_PROTOCOL_VERSION' } } });
  }
  const bad = { ...session, 'mcp-protocol-version': 'x', accept: 'text/event-stream' };
  expect((await request(url, 'GET', undefined, bad)).status).toBe(400);
  expect((await request(url, 'DELETE', undefined, bad)).status).toBe(400);
  const hello = await post(initialize('2025-06-18'), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'initialize',
  });
  expect(hello.status).toBe(200);
});

test('an initialize that is refused makes no session', async () => {
  const { app, post } = await mcpServer();
  const bad = [initialize(5), initialize('x', { clientInfo: 'me' }), initialize('x', { capabilities: [] })];
  for (const message of bad) {
    const answer = await post(message);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ id: 0, error: { code: -32602 } });
  }
  const { id: _, ...notification } = initialize('2025-06-18');
  expect((await post(notification)).json).toMatchObject({ id: null, error: { code: -32600 } });
  expect((await post({ ...initialize('2025-06-18'), id: null })).json).toMatchObject({ error: { code: -32600 } });
  expect((await post([initialize('2025-03-26')])).status).toBe(400);
  expect(app.mcp.sessions.size).toBe(0);
});

test('other HTTP methods are 405 with Allow', async () => {
  const { url } = await mcpServer();
  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
    const answer = await request(url, method, undefined);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, GET, DELETE');
  }
});

test('endpoint_path moves the endpoint', async () => {
  const { base, open } = await mcpServer({ endpoint_path: '/tools/mcp' });
  expect((await open()).answer.status).toBe(200);
  expect((await request(`${base}/mcp`, 'POST', '{}')).status).toBe(404);
});
