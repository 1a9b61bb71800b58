import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { call, mcpServer, request, stream } from './wire.ts';

test('a call that emits is answered as an event stream, all events before the answer', async () => {
  const { url, open } = await mcpServer();
  const { session } = await open('2025-06-18');
  const events = await stream(url, session, call(7, 'test/progress'));
  expect(events.response.headers.get('content-type')).toBe('text/event-stream');
  expect(events.response.headers.get('cache-control')).toBe('no-cache');
  expect(events.response.headers.get('x-accel-buffering')).toBe('no');
  await events.ended();
  const messages = events.messages();
  expect(messages.map(each => each.method ?? each.id)).toEqual([...Array(3).fill('notifications/progress'), 7]);
  expect(events.events.map(each => each.id)).toEqual(['1-1', '1-2', '1-3', '1-4']);
});

test('a call that emits nothing is answered as JSON even to a client that takes both', async () => {
  const { url, open } = await mcpServer();
  const { session } = await open();
  const answer = await request(url, 'POST', JSON.stringify(call(1, 'ping')), {
    ...session,
    accept: 'application/json, text/event-stream',
  });
  expect(answer.headers.get('content-type')).toBe('application/json');
  const only = await stream(url, { ...session, accept: 'text/event-stream' }, call(2, 'ping'));
  await only.ended();
  expect(only.messages()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
});

test('a client that takes only JSON gets JSON; its notifications go to the standing stream or are dropped', async () => {
  const { url, post, open } = await mcpServer();
  const { session } = await open();
  expect((await post(call(1, 'test/progress'), session)).json).toMatchObject({ id: 1, result: { done: true } });
  const standing = await stream(url, session);
  expect((await post(call(2, 'test/progress'), session)).json).toMatchObject({ id: 2 });
  await waitFor(() => standing.messages().length === 3, 'the notifications');
});

test('a 2025-11-25 stream begins with an event without data; older ones never do', async () => {
  const { url, open } = await mcpServer();
  for (const [version, primed] of [
    ['2025-11-25', true],
    ['2025-06-18', false],
    ['2025-03-26', false],
  ] as const) {
    const { session } = await open(version);
    const answer = await stream(url, session, call(1, 'test/progress'));
    await answer.ended();
    expect(answer.events[0]?.data === '').toBe(primed);
    const standing = await stream(url, session);
    if (primed) await waitFor(() => standing.events.length === 1, 'the priming event');
    expect(standing.events.map(each => each.data)).toEqual(primed ? [''] : []);
  }
});

test('GET needs Accept: text/event-stream, a session, and a Last-Event-ID that means something', async () => {
  const { url, open } = await mcpServer();
  const { session } = await open();
  expect((await request(url, 'GET', undefined, session)).status).toBe(406);
  const accept = 'text/event-stream';
  expect((await request(url, 'GET', undefined, { accept })).status).toBe(400);
  expect((await request(url, 'GET', undefined, { accept, 'mcp-session-id': 'x' })).status).toBe(404);
  for (const last of ['nonsense', '9-1', '1', '-', '1-999999999999999999999']) {
    const answer = await request(url, 'GET', undefined, { ...session, accept, 'last-event-id': last });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { data: { code: 'SVC_MCP_NOTHING_TO_REPLAY' } } });
  }
});

test('Last-Event-ID replays what the standing stream missed, in order and only that', async () => {
  const { app, url, open } = await mcpServer();
  const { session } = await open('2025-06-18');
  const id = session['mcp-session-id'];
  expect(app.mcp.notify(id, 'notifications/x')).toBe(false);
  const first = await stream(url, session);
  app.mcp.notify(id, 'notifications/x', { n: 1 });
  await waitFor(() => first.events.length === 1, 'the first event');
  await first.cut();
  await waitFor(() => !(app.mcp.sessions.get(id) as unknown as { busy: boolean }).busy, 'the disconnect');
  const other = await stream(url, session, call(1, 'test/progress'));
  await other.ended();
  expect(app.mcp.notify(id, 'notifications/x', { n: 2 })).toBe(true);
  app.mcp.broadcast('notifications/x', { n: 3 });
  const again = await stream(url, { ...session, 'last-event-id': first.events[0]?.id ?? '' });
  await waitFor(() => again.events.length === 2, 'the replay');
  app.mcp.notify(id, 'notifications/x', { n: 4 });
  await waitFor(() => again.events.length === 3, 'the live event');
  expect(again.messages().map(each => (each.params as { n: number }).n)).toEqual([2, 3, 4]);
});

test('a POST stream that breaks does not cancel its call: GET with Last-Event-ID re-attaches to it', async () => {
  const { app, url, open, release, gates, aborted } = await mcpServer();
  const { session } = await open();
  const broken = await stream(url, session, call(1, 'test/wait', { name: 'a' }));
  await waitFor(() => broken.messages().length === 1, 'the first event');
  const last = broken.events.at(-1)?.id ?? '';
  await broken.cut();
  const resumed = await stream(url, { ...session, 'last-event-id': last });
  expect(gates.a).toBeDefined();
  await release('a');
  await resumed.ended();
  expect(resumed.messages().map(each => each.result ?? each.method)).toEqual([
    'notifications/progress',
    { waited: 'a' },
  ]);
  expect(aborted).toEqual([]);
  expect((app.mcp.sessions.get(session['mcp-session-id']) as unknown as { busy: boolean }).busy).toBe(false);
});

test('the answer of a call that finished while nobody listened is replayed, and the stream ends', async () => {
  const { url, post, open, release } = await mcpServer();
  const { session } = await open();
  const broken = await stream(url, session, call(1, 'test/wait', { name: 'a' }));
  await waitFor(() => broken.messages().length === 1, 'the first event');
  const last = broken.events.at(-1)?.id ?? '';
  await broken.cut();
  await release('a');
  await post(call(2, 'ping'), session);
  const replay = await stream(url, { ...session, 'last-event-id': last });
  await replay.ended();
  expect(replay.messages().at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: { waited: 'a' } });
});

test('replay is bounded in events and bytes', async () => {
  const { app, url, open } = await mcpServer({ sse_replay_events: 3, sse_client_max_bytes: 4096 });
  const { session } = await open('2025-06-18');
  const id = session['mcp-session-id'];
  const first = await stream(url, session);
  await first.cut();
  for (let n = 1; n <= 5; n += 1) app.mcp.notify(id, 'notifications/x', { n });
  const replay = await stream(url, { ...session, 'last-event-id': '0-0' });
  await waitFor(() => replay.messages().length === 3, 'the replay');
  expect(replay.messages().map(each => (each.params as { n: number }).n)).toEqual([3, 4, 5]);
  await replay.cut();
  for (let n = 6; n <= 8; n += 1) app.mcp.notify(id, 'notifications/x', { n, pad: 'x'.repeat(1500) });
  const bytes = await stream(url, { ...session, 'last-event-id': '0-5' });
  await waitFor(() => bytes.messages().length === 1, 'the replay');
  expect(bytes.messages().map(each => (each.params as { n: number }).n)).toEqual([8]);
});

test('heartbeat comments keep an idle stream alive', async () => {
  const { url, open } = await mcpServer({ sse_heartbeat_secs: 1 });
  const { session } = await open();
  const standing = await stream(url, session);
  await waitFor(() => standing.comments.length > 0, 'a heartbeat');
  expect(standing.comments[0]).toBe(':');
});

test('a broadcast reaches every standing stream once and in order, direct messages in their place', async () => {
  const { app, url, open } = await mcpServer({ max_sessions: 1000 });
  const opened = await Promise.all(Array.from({ length: 20 }, () => open('2025-06-18')));
  const streams = await Promise.all(opened.map(({ session }) => stream(url, session)));
  // Idle sessions in front of the last one, so that a broadcast needs several slices.
  for (let each = 0; each < 600; each += 1) await open('2025-06-18');
  const last = await open('2025-06-18');
  const lastStream = await stream(url, last.session);
  for (let n = 1; n <= 5; n += 1) {
    app.mcp.broadcast('notifications/x', { n });
    app.mcp.notify(last.session['mcp-session-id'], 'notifications/x', { n: n + 0.5 });
  }
  const numbers = (from: typeof lastStream) => from.messages().map(each => (each.params as { n: number }).n);
  for (const each of streams) {
    await waitFor(() => each.messages().length === 5, 'five broadcasts');
    expect(numbers(each)).toEqual([1, 2, 3, 4, 5]);
  }
  await waitFor(() => lastStream.messages().length === 10, 'ten messages');
  expect(numbers(lastStream)).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5]);
});

test('spliced JSON with line breaks stays one event', async () => {
  const { app, url, open } = await mcpServer();
  const { RawJson } = await import('../../../kernel/index.ts');
  app.kernel.rpc.method('test/raw', (_params, context) => {
    context.notify('notifications/x', {});
    return new RawJson('{\n  "text": "a\\nb"\n}');
  });
  const { session } = await open();
  const answer = await stream(url, session, call(1, 'test/raw'));
  await answer.ended();
  expect(answer.messages().at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: { text: 'a\nb' } });
});

test('a stream that is asked for behind an unanswered call begins after its answer and loses nothing, large or small', async () => {
  const { app, url, gates, open } = await mcpServer();
  const { session } = await open('2025-06-18');
  const { hostname, port, pathname, host } = new URL(url);
  const body = JSON.stringify(call('behind', 'test/wait', { name: 'behind', quiet: true }));
  const headers = Object.entries(session).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = (method: string, accept: string) =>
    `${method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: ${accept}\r\n${headers.join('')}`;
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const posted = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  socket.write(`${head('POST', 'application/json')}${posted}${head('GET', 'text/event-stream')}\r\n`);
  const standing = () => app.mcp.sessions.list().some(each => app.mcp.notify(each.id, 'notifications/first'));
  await waitFor(standing, 'the stream to be open');
  app.mcp.broadcast('notifications/large', { filler: 'x'.repeat(10_000) });
  expect(text).toBe('');
  await waitFor(() => gates.behind, 'the call to wait');
  gates.behind?.();
  await waitFor(() => text.includes('notifications/large'), 'the stream');
  app.mcp.broadcast('notifications/last');
  await waitFor(() => text.includes('notifications/last'), 'what came later');
  const order = [...text.matchAll(/HTTP(?=\/1)|"id":"behind"|event-stream|notifications\/\w+/g)].map(
    ([found]) => found,
  );
  const events = ['first', 'large', 'last'].map(each => `notifications/${each}`);
  expect(order).toEqual(['HTTP', '"id":"behind"', 'HTTP', 'event-stream', ...events]);
});
