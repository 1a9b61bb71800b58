import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Listener } from '../../../plugins/mcp/api.ts';
import { waitFor } from '../../helper.ts';
import { headersOf, modern, sessionlessServer } from './sessionless-wire.ts';
import { stream } from './wire.ts';

const key = 'io.modelcontextprotocol/subscriptionId';
const changed = (list: string) => `notifications/${list}/list_changed`;

async function listeners(options = {}) {
  const server = await sessionlessServer(options);
  const { mcp } = server.app;
  mcp.capability('tools', { listChanged: true });
  mcp.capability('prompts', { listChanged: true });
  return { ...server, mcp };
}

test('a stream begins with what is honoured, then carries what was asked for, each message with its id', async () => {
  const { mcp, listen } = await listeners();
  const events = await listen(
    { toolsListChanged: true, promptsListChanged: false, resourcesListChanged: true, odd: 1 },
    7,
  );
  expect(events.response.status).toBe(200);
  expect(events.response.headers.get('content-type')).toBe('text/event-stream');
  expect(events.response.headers.get('x-accel-buffering')).toBe('no');
  expect(events.response.headers.get('mcp-session-id')).toBeNull();
  await waitFor(() => events.events.length === 1, 'the acknowledgement');
  for (const list of ['prompts', 'resources', 'tools']) mcp.broadcast(changed(list));
  await waitFor(() => events.events.length === 2, 'the change');
  expect(events.messages()).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [key]: 7 } },
    },
    { jsonrpc: '2.0', method: changed('tools'), params: { _meta: { [key]: 7 } } },
  ]);
  expect(events.events.every(each => each.id === undefined)).toBe(true);
});

test('both eras hear of the same change, and streams do not mix', async () => {
  const { mcp, url, listen, open } = await listeners();
  const { session } = await open('2025-06-18');
  const standing = await stream(url, session);
  const [tools, prompts] = [
    await listen({ toolsListChanged: true }, 'a'),
    await listen({ promptsListChanged: true }, 'b'),
  ];
  await waitFor(() => tools.events.length + prompts.events.length === 2, 'both acknowledgements');
  mcp.broadcast(changed('tools'));
  mcp.broadcast(changed('prompts'));
  await waitFor(() => standing.messages().length === 2, 'the session');
  await waitFor(() => tools.events.length + prompts.events.length === 4, 'both changes');
  expect(tools.messages()[1]).toEqual({ jsonrpc: '2.0', method: changed('tools'), params: { _meta: { [key]: 'a' } } });
  expect(prompts.messages()[1]).toMatchObject({ method: changed('prompts'), params: { _meta: { [key]: 'b' } } });
  expect(standing.messages().every(each => !JSON.stringify(each).includes(key))).toBe(true);
});

test('a plugin serves a member of the filter: honoured as it says, told after the acknowledgement, ended with the stream', async () => {
  const { mcp, listen } = await listeners();
  const known: Listener[] = [];
  let ended = 0;
  const remove = mcp.listen('taskIds', async (wanted, listener) => {
    known.push(listener);
    listener.scope.add('task', () => {
      ended += 1;
    });
    listener.send('notifications/tasks', { early: true, _meta: { own: 1 } });
    await new Promise(resolve => setTimeout(resolve, 20));
    return (wanted as string[]).filter(each => each === 'mine');
  });
  expect(() => mcp.listen('taskIds', () => undefined)).toThrow('twice');
  expect(() => mcp.listen('toolsListChanged', () => undefined)).toThrow('twice');
  const events = await listen({ taskIds: ['mine', 'foreign'], toolsListChanged: true });
  await waitFor(() => events.events.length === 2, 'the early message');
  expect(known[0]?.send('notifications/tasks', { late: true })).toBe(true);
  await waitFor(() => events.events.length === 3, 'the late message');
  expect(events.messages().map(each => each.params)).toEqual([
    { notifications: { taskIds: ['mine'], toolsListChanged: true }, _meta: { [key]: 'listen-1' } },
    { early: true, _meta: { own: 1, [key]: 'listen-1' } },
    { late: true, _meta: { [key]: 'listen-1' } },
  ]);
  await events.cut();
  await waitFor(() => ended === 1, 'the end of the scope');
  expect(known[0]?.send('notifications/tasks')).toBe(false);
  await remove();
  const without = await listen({ taskIds: ['mine'] });
  await waitFor(() => without.events.length === 1, 'the acknowledgement');
  expect(without.messages()[0]).toMatchObject({ params: { notifications: {} } });
});

test('shutdown ends a stream with its result', async () => {
  const { app, listen } = await listeners();
  const events = await listen({ toolsListChanged: true }, 5);
  await waitFor(() => events.events.length === 1, 'the acknowledgement');
  await app.close();
  await events.ended();
  expect(events.messages()[1]).toMatchObject({ id: 5, result: { resultType: 'complete', _meta: { [key]: 5 } } });
});

test('streams are bounded in number, and a place is free again when one ends', async () => {
  const { listen, send } = await listeners({ max_sessions: 2 });
  const first = await listen({}, 1);
  await listen({}, 2);
  const refused = await send(modern(3, 'subscriptions/listen', { notifications: {} }));
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBeTruthy();
  expect(refused.json).toMatchObject({ id: 3, error: { data: { code: 'SVC_MCP_TOO_MANY_LISTENERS', limit: 2 } } });
  await first.cut();
  await waitFor(async () => {
    const next = await listen({}, 4);
    return next.response.status === 200 || undefined;
  }, 'a free place');
});

test('without a filter it is -32602, without event streams 406', async () => {
  const { send } = await listeners();
  for (const params of [{}, { notifications: true }, { notifications: [] }]) {
    const answer = await send(modern(1, 'subscriptions/listen', params));
    expect([answer.status, (answer.json.error as { code: number }).code]).toEqual([400, -32602]);
  }
  const plain = await send(modern(1, 'subscriptions/listen', { notifications: {} }), { accept: 'application/json' });
  expect(plain.status).toBe(406);
});

test('comments keep a quiet stream alive', async () => {
  const { listen } = await listeners({ sse_heartbeat_secs: 1 });
  const events = await listen({});
  await waitFor(() => events.comments.length > 0, 'a comment');
});

test('who does not read is cut off', async () => {
  const { mcp, url } = await listeners({ sse_client_max_bytes: 65536 });
  let listener: Listener | undefined;
  mcp.listen('firehose', (_wanted, found) => {
    listener = found;
    return true;
  });
  const message = modern(1, 'subscriptions/listen', { notifications: { firehose: true } });
  const body = JSON.stringify(message);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const headers = Object.entries({ ...headersOf(message), 'content-type': 'application/json', host: '127.0.0.1' });
  socket.write(`POST /mcp HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`);
  socket.write(`content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const found = await waitFor(() => listener, 'the stream');
  socket.pause();
  const text = 'x'.repeat(50_000);
  await waitFor(() => {
    for (let each = 0; each < 20; each += 1) found.send('notifications/x', { text });
    return !found.send('notifications/x', { text });
  }, 'the cut');
  await waitFor(() => found.scope.disposed, 'the end of its scope');
  socket.destroy();
});
