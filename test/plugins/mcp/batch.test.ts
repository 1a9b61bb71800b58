import { expect, test } from 'vitest';
import { call, type Json, mcpServer, stream } from './wire.ts';

const note = { jsonrpc: '2.0', method: 'notifications/initialized' };

test('a 2025-03-26 session may send a batch and gets an array of answers [spec:endpoint:batch spec:version:2025-03-26]', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open('2025-03-26');
  const answer = await post([call(1, 'ping'), note, call('two', 'test/echo', { a: 1 }), call(3, 'no/such')], session);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 'two', result: { a: 1 } },
    expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32601 }) }),
  ]);
});

test('a batch of notifications and responses only is 202 [spec:endpoint:batch]', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open('2025-03-26');
  const answer = await post([note, { jsonrpc: '2.0', id: 1, result: {} }], session);
  expect([answer.status, answer.text]).toEqual([202, '']);
});

test('an element that is no message is answered as -32600 beside the others', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open('2025-03-26');
  const answer = await post([5, call(1, 'ping'), [], { jsonrpc: '2.0', id: null, method: 'ping' }], session);
  expect((answer.json as unknown as Json[]).map(each => [each.id, (each.error as Json)?.code])).toEqual([
    [null, -32600],
    [1, undefined],
    [null, -32600],
    [null, -32600],
  ]);
});

test('a batch that is empty, too long, or holds initialize is 400 / -32600', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open('2025-03-26');
  const tooLong = Array.from({ length: 10_000 }, (_, id) => call(id, 'ping'));
  for (const batch of [[], tooLong, [call(1, 'ping'), call(2, 'initialize')]]) {
    const answer = await post(batch, session);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: -32600 } });
  }
  expect((await post(tooLong.slice(0, 100), session)).json).toHaveLength(100);
});

test('sessions of 2025-06-18 and later get 400 / -32600 for a batch', async () => {
  const { post, open } = await mcpServer();
  for (const version of ['2025-06-18', '2025-11-25']) {
    const { session } = await open(version);
    const answer = await post([call(1, 'ping')], session);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: -32600, message: expect.stringContaining(version) } });
  }
  expect((await post([call(1, 'ping')])).status).toBe(400);
});

test('a batch whose calls emit is one event stream with one event per answer', async () => {
  const { url, open } = await mcpServer();
  const { session } = await open('2025-03-26');
  const batch = [call(1, 'ping'), call(2, 'test/progress'), call(3, 'test/progress')];
  const events = await stream(url, session, batch);
  await events.ended();
  const ids = events.messages().flatMap(each => (each.id === undefined ? [] : [each.id]));
  expect([...ids].sort()).toEqual([1, 2, 3]);
  expect(events.messages()).toHaveLength(9);
});

test('an id used twice in a batch while its first call runs is refused the second time', async () => {
  const { post, open, release } = await mcpServer();
  const { session } = await open('2025-03-26');
  const wait = call(1, 'test/wait', { name: 'a', quiet: true });
  const running = post([wait, wait], session);
  await release('a');
  expect((await running).json).toEqual([
    expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32600 }) }),
    { jsonrpc: '2.0', id: 1, result: { waited: 'a' } },
  ]);
});
