import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { call, initialize, mcpServer, request, stream } from './wire.ts';

type Server = Awaited<ReturnType<typeof mcpServer>>;
type Opened = Awaited<ReturnType<Server['open']>>;

const idOf = ({ session }: Opened): string => session['mcp-session-id'];
const ping = async ({ post }: Server, { session }: Opened): Promise<number> =>
  (await post(call(1, 'ping'), session)).status;

test('max_sessions bounds sessions that have a stream open, and nothing else: a stream beyond it is 503 with Retry-After', async () => {
  const server = await mcpServer({ max_sessions: 2 });
  const { url, open } = server;
  const [one, two, three] = [await open(), await open(), await open()];
  const first = await stream(url, one.session);
  const second = await stream(url, two.session);
  // Another stream of a session that has one open is no further session.
  const again = await stream(url, two.session);
  expect(again.response.status).toBe(200);
  const accept = 'text/event-stream';
  const refused = await request(url, 'GET', undefined, { ...three.session, accept });
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 30]);
  expect(refused.json).toMatchObject({
    error: { message: expect.stringContaining('max_sessions'), data: { code: 'SVC_MCP_TOO_MANY_SESSIONS' } },
  });
  // What was refused a stream goes on without one, also with an answer that is one.
  expect(await ping(server, three)).toBe(200);
  const answer = await stream(url, three.session, call(2, 'test/progress'));
  await answer.ended();
  expect(answer.messages()).toHaveLength(4);
  await again.cut();
  expect((await request(url, 'GET', undefined, { ...three.session, accept })).status).toBe(503);
  await second.cut();
  await waitFor(async () => (await stream(url, three.session)).response.status === 200, 'the place to be free');
  await request(url, 'DELETE', undefined, one.session);
  await first.ended();
  expect((await stream(url, two.session)).response.status).toBe(200);
});

test('a hundred initialize without DELETE lock nobody out', async () => {
  const server = await mcpServer({ max_sessions: 1 });
  const first = await server.open();
  await Promise.all(Array.from({ length: 100 }, () => server.open()));
  const last = await server.open();
  expect(last.answer.status).toBe(200);
  expect([await ping(server, first), await ping(server, last), server.app.mcp.sessions.size]).toEqual([200, 200, 102]);
  expect((await stream(server.url, last.session)).response.status).toBe(200);
});

test('beyond sessions_max_bytes the idlest end first; work and an open stream protect, and a stream takes no share', async () => {
  // Room for 64 sessions of a kilobyte, of which what they tell takes some.
  const server = await mcpServer({ sessions_max_bytes: 65536, session_ttl_secs: 0 });
  const { app, url, open, post, gates, release } = server;
  const [oldest, second, third, fourth] = [await open(), await open(), await open(), await open()];
  const standing = await stream(url, second.session);
  const running = post(call(1, 'test/wait', { name: 'w', quiet: true }), third.session);
  await waitFor(() => gates.w, 'the call');
  const room = Math.floor(65536 / (1024 + JSON.stringify([{ name: 'test', version: '1' }, {}]).length));
  // Three are in the list, and of them the oldest is used once more.
  for (let count = 3; count < room; count += 1) await open();
  expect([app.mcp.sessions.size, await ping(server, oldest)]).toEqual([room + 1, 200]);
  await open();
  const there = (each: Opened): boolean => app.mcp.sessions.get(idOf(each)) !== undefined;
  expect([oldest, second, third, fourth].map(there)).toEqual([true, true, true, false]);
  expect((await post(call(1, 'ping'), fourth.session)).json).toMatchObject({
    error: { data: { code: 'SVC_MCP_SESSION_UNKNOWN' } },
  });
  for (let count = 0; count < 2 * room; count += 1) await open();
  expect([oldest, second, third].map(there)).toEqual([false, true, true]);
  expect(app.mcp.sessions.size).toBe(room + 1);
  await release('w');
  expect((await running).json).toMatchObject({ result: { waited: 'w' } });
  // Without its stream it is one of the others again, and the newest of them.
  await standing.cut();
  await waitFor(() => app.mcp.sessions.size === room, 'the room to be needed');
  expect([second, third].map(there)).toEqual([true, true]);
});

test('what a client tells of itself and what is kept for it weighs, and the session that is served stays', async () => {
  const server = await mcpServer({ sessions_max_bytes: 65536, sse_client_max_bytes: 1048576 });
  const { app, url, open } = server;
  const small = await open();
  const talkative = await open('2025-06-18', { clientInfo: { name: 'x'.repeat(100_000), version: '1' } });
  expect([talkative.answer.status, app.mcp.sessions.size]).toEqual([200, 1]);
  expect([await ping(server, small), await ping(server, talkative)]).toEqual([404, 200]);
  const next = await open();
  expect([app.mcp.sessions.size, await ping(server, talkative)]).toEqual([1, 404]);
  const other = await open();
  app.kernel.rpc.method('test/large', async (_params, context) => {
    context.notify('notifications/x', { text: 'x'.repeat(100_000) });
    return {};
  });
  const answer = await stream(url, next.session, call(2, 'test/large'));
  await answer.ended();
  expect([await ping(server, other), await ping(server, next)]).toEqual([404, 200]);
});

test('an idle session is evicted after session_ttl_secs; work and an open stream protect it [spec:session:work-protects]', async () => {
  const { app, url, post, open, release, gates } = await mcpServer({ session_ttl_secs: 1 });
  const idle = await open();
  const working = await open();
  const listening = await open();
  await stream(url, listening.session);
  const running = post(call(1, 'test/wait', { name: 'w', quiet: true }), working.session);
  await waitFor(() => gates.w, 'the call');
  await waitFor(() => !app.mcp.sessions.get(idle.session['mcp-session-id']), 'the eviction');
  await new Promise(resolve => setTimeout(resolve, 700));
  expect(app.mcp.sessions.size).toBe(2);
  expect((await post(call(1, 'ping'), idle.session)).status).toBe(404);
  await release('w');
  expect((await running).json).toMatchObject({ result: { waited: 'w' } });
  await waitFor(() => app.mcp.sessions.size === 1, 'the second eviction');
});

test('session_ttl_secs 0 never evicts [spec:config:session-ttl-zero]', async () => {
  const server = await mcpServer({ session_ttl_secs: 0 });
  const opened = await server.open();
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect(await ping(server, opened)).toBe(200);
});

test('a session that ended has a scope that takes nothing, whether it had one before or not', async () => {
  const { app, url, open } = await mcpServer();
  const { session } = await open();
  const known = app.mcp.sessions.get(session['mcp-session-id']);
  expect(app.kernel.scope.list().filter(each => each.includes('session:'))).toEqual([]);
  await request(url, 'DELETE', undefined, session);
  expect(known?.scope.disposed).toBe(true);
  expect(() => known?.scope.add('late', () => undefined)).toThrow('disposed');
});

test('a refused initialize costs no session, however often', async () => {
  const { app, post } = await mcpServer();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(initialize(5))));
  expect([new Set(answers.map(each => each.status)), app.mcp.sessions.size]).toEqual([new Set([400]), 0]);
});
