/** Several standing streams of one session: each message goes to exactly one of them, and none is lost. */
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { call, mcpServer, stream } from './wire.ts';

type Listener = Awaited<ReturnType<typeof stream>>;

const numbers = (from: Listener): unknown[] => from.messages().map(each => (each.params as { n: number }).n);

async function listeners(version = '2025-06-18') {
  const server = await mcpServer();
  const { session } = await server.open(version);
  const id = session['mcp-session-id'];
  const inner = server.app.mcp.sessions.get(id) as unknown as { connections: number };
  let sent = 0;
  const tell = (): boolean => {
    sent += 1;
    return server.app.mcp.notify(id, 'notifications/x', { n: sent });
  };
  const listen = (last?: string): Promise<Listener> =>
    stream(server.url, { ...session, ...(last !== undefined && { 'last-event-id': last }) });
  const cut = async (listener: Listener): Promise<void> => {
    const before = inner.connections;
    await listener.cut();
    await waitFor(() => inner.connections === before - 1, 'the connection to be gone');
  };
  return { ...server, session, tell, listen, cut, inner };
}

test('the stream that was opened last takes the messages; when it closes the one before goes on', async () => {
  const { app, tell, listen, cut } = await listeners();
  const first = await listen();
  tell();
  await waitFor(() => first.messages().length === 1, 'the first message');
  const [second, third] = [await listen(), await listen()];
  tell();
  app.mcp.broadcast('notifications/x', { n: 'all' });
  await waitFor(() => third.messages().length === 2, 'the third stream');
  await cut(third);
  tell();
  await waitFor(() => second.messages().length === 1, 'the second stream');
  await cut(second);
  tell();
  await waitFor(() => first.messages().length === 2, 'the first stream');
  expect([first, second, third].map(numbers)).toEqual([[1, 4], [3], [2, 'all']]);
  expect([
    first.state.ended,
    new Set([first, second, third].flatMap(each => each.events.map(it => it.id))).size,
  ]).toEqual([false, 5]);
});

test('Last-Event-ID names one of several: it gets what that one missed, and the next messages', async () => {
  const { tell, listen, cut, url, session } = await listeners();
  const first = await listen();
  tell();
  await waitFor(() => first.messages().length === 1, 'the first message');
  const second = await listen();
  tell();
  tell();
  await waitFor(() => second.messages().length === 2, 'two messages');
  const answer = await stream(url, session, call(1, 'test/progress'));
  await answer.ended();
  await cut(second);
  await cut(first);
  // Nobody listens: kept for one of the two.
  tell();
  const again = await listen(second.events[0]?.id);
  await waitFor(() => again.messages().length > 0, 'the replay');
  const older = await listen(first.events[0]?.id);
  tell();
  await waitFor(() => older.messages().length > 0, 'the older stream');
  await cut(older);
  tell();
  await waitFor(() => numbers(again).includes(6), 'the message after the older stream closed');
  // Each message once over all that a stream and its resumption saw; 3 was replayed, since only 2 was named as seen.
  expect([numbers(first), numbers(second)]).toEqual([[1], [2, 3]]);
  expect([...numbers(again), ...numbers(older)].sort()).toEqual([3, 4, 5, 6]);
  expect(numbers(older)).toContain(5);
});

test('resuming an open stream takes it over from the older connection, which may be dead', async () => {
  const { tell, listen } = await listeners();
  const first = await listen();
  const second = await listen();
  tell();
  await waitFor(() => second.messages().length === 1, 'the message');
  const taken = await listen('0-0');
  await first.ended();
  tell();
  await waitFor(() => taken.messages().length === 1, 'the next message');
  expect([numbers(second), numbers(taken), second.state.ended]).toEqual([[1], [2], false]);
});

test('a client that opens streams without end loses the oldest, never the newest; each is primed where the revision wants it', async () => {
  const { tell, listen, inner } = await listeners('2025-11-25');
  const opened: Listener[] = [];
  for (let count = 0; count < 10; count += 1) opened.push(await listen());
  await Promise.all(opened.slice(0, 2).map(each => each.ended()));
  await waitFor(() => inner.connections === 8, 'the rest');
  tell();
  const [newest] = opened.slice(-1) as [Listener];
  await waitFor(() => newest.messages().length === 1, 'the message');
  await waitFor(() => opened.every(each => each.events[0]?.data === ''), 'the priming events');
  expect(new Set(opened.map(each => each.events[0]?.id?.split('-')[0])).size).toBe(10);
  expect(opened.slice(2, -1).flatMap(numbers)).toEqual([]);
});

test('streams of many sessions come and go while messages are sent: resumed, they have each message exactly once', async () => {
  const { app, url, open } = await listeners();
  const sessions = await Promise.all(Array.from({ length: 8 }, () => open('2025-11-25')));
  const all: Listener[][] = [];
  for (const { session } of sessions) {
    const streams = await Promise.all([stream(url, session), stream(url, session), stream(url, session)]);
    await waitFor(() => streams.every(each => each.events.length === 1), 'the priming events');
    all.push(streams);
  }
  for (let n = 1; n <= 30; n += 1) {
    app.mcp.broadcast('notifications/x', { n });
    if (n % 10 === 0) await Promise.all(all.map(streams => streams[(n / 10) % 3]?.cut()));
    else await new Promise(resolve => setTimeout(resolve, 2));
  }
  for (const [index, { session }] of sessions.entries()) {
    const streams = all[index] ?? [];
    const resumed = await Promise.all(
      streams.map(each => stream(url, { ...session, 'last-event-id': each.events.at(-1)?.id ?? '' })),
    );
    const told = (): unknown[] => [...streams, ...resumed].flatMap(numbers);
    await waitFor(() => told().length >= 30, 'every message');
    expect(told().sort((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
  }
});
