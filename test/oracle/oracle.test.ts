/** The oracle itself: what it hears, and what it says to a message that is wrong. */
import { expect, test } from 'vitest';
import { call, mcpServer, stream } from '../plugins/mcp/wire.ts';
import { problemOf } from './judge.ts';
import { tap } from './tap.mjs';

const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });

test('a right message has no problem, in any revision', () => {
  const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    expect(problemOf({ revision, method: 'tools/list', text: answer({ tools }) })).toBeUndefined();
    expect(problemOf({ revision, method: 'ping', text: answer({}) })).toBeUndefined();
    const text = '{"jsonrpc":"2.0","method":"notifications/$/dcc.jobUpdated","params":{}}';
    expect(problemOf({ revision, text })).toBeUndefined();
  }
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'public', tools };
  expect(problemOf({ revision: '2026-07-28', method: 'tools/list', text: answer(complete) })).toBeUndefined();
});

test.each([
  [
    '2025-03-26',
    'tools/list',
    { tools: [{ name: 'a' }] },
    "no ListToolsResult: /tools/0 must have required property 'inputSchema'",
  ],
  ['2025-11-25', 'tools/call', { content: [{ type: 'text' }] }, 'no CallToolResult: /content/0'],
  ['2026-07-28', 'tools/list', { tools: [] }, 'no JSONRPCResultResponse: /result must have required property'],
  ['2026-07-28', 'tools/call', { resultType: 'input_required', inputRequests: { a: {} } }, 'no InputRequiredResult'],
])('%s: a wrong result of %s is named with its place', (revision, method, result, problem) => {
  expect(problemOf({ revision, method, text: answer(result) })).toContain(problem);
});

test.each([
  ['2025-03-26', '{"jsonrpc":"2.0","method":"tools/list_changed"}', 'tools/list_changed, which'],
  ['2025-06-18', '[{"jsonrpc":"2.0","id":1,"result":{}}]', 'a batch'],
  ['2025-11-25', '{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"y"}}', 'no JSONRPCErrorResponse'],
  ['2026-07-28', '{"jsonrpc":"2.0","id":1,"method":"roots/list"}', 'a request of the server'],
  ['2026-07-28', '{"jsonrpc":"2.0","method":"notifications/$/dcc.jobUpdated","params":{}}', 'which this revision'],
])('%s: %s is no message of the server', (revision, text, problem) => {
  expect(problemOf({ revision, text })).toContain(problem);
});

test('it hears answers, what stands on their stream, and the standing stream, each with its revision', async () => {
  const heard: string[] = [];
  tap(each => heard.push(`${each.revision} ${each.method} ${each.text}`));
  const { app, url, post, open } = await mcpServer();
  const { session } = await open('2025-06-18');
  const standing = await stream(url, session);
  await post(call(1, 'ping'), session);
  const progress = await stream(url, session, call('two', 'test/progress'));
  await progress.ended();
  app.mcp.broadcast('notifications/tools/list_changed');
  await expect.poll(() => standing.messages().length).toBe(1);
  expect(heard.slice(1)).toEqual([
    '2025-06-18 ping {"jsonrpc":"2.0","id":1,"result":{}}',
    ...[1, 2, 3].map(
      step =>
        `2025-06-18 undefined {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":${step}}}`,
    ),
    '2025-06-18 test/progress {"jsonrpc":"2.0","id":"two","result":{"done":true}}',
    '2025-06-18 undefined {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}',
  ]);
});
