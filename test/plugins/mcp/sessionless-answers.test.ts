import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { RawBytes, RawJson } from '../../../kernel/index.ts';
import { waitFor } from '../../helper.ts';
import { headersOf, modern, sessionlessServer } from './sessionless-wire.ts';
import { both, type Json, stream } from './wire.ts';

const infoKey = 'io.modelcontextprotocol/serverInfo';
const info = { [infoKey]: { name: 'svc', title: 'svc', version: expect.any(String) } };
/** Lists and reads, each with a result that has a `_meta` further in. */
const hinted: Record<string, Json> = {
  'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' }, _meta: {} }] },
  'prompts/list': { prompts: [{ name: 'x', _meta: {} }] },
  'resources/list': { resources: [{ uri: 'test://x', name: 'x', _meta: {} }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'test://{x}', name: 'x', _meta: {} }] },
  'resources/read': { contents: [{ uri: 'test://x', text: '', _meta: {} }] },
};

test('every form of result says that it is complete and whose it is; members of its own stay', async () => {
  const { app, send } = await sessionlessServer();
  const results: Record<string, unknown> = {
    object: { a: 'ü' },
    empty: {},
    nothing: undefined,
    text: new RawJson('{"a":"ü"}'),
    'text/empty': new RawJson('{}'),
    bytes: new RawBytes('{"a":"ü"}'),
    meta: { _meta: { mine: 1 }, a: 1 },
    'meta/inside': new RawJson('{"list":[{"_meta":{"deep":1}}]}'),
    type: new RawJson('{"resultType":"task","taskId":"t"}'),
    info: { _meta: { [infoKey]: { name: 'other', version: '1' } } },
  };
  for (const [name, result] of Object.entries(results)) app.kernel.rpc.method(`test/${name}`, () => result);
  const answer = async (name: string) => (await send(modern(1, `test/${name}`))).json.result as Json;
  const complete = { resultType: 'complete', _meta: info };
  for (const name of ['object', 'text', 'bytes']) expect(await answer(name)).toEqual({ ...complete, a: 'ü' });
  for (const name of ['empty', 'nothing', 'text/empty']) expect(await answer(name)).toEqual(complete);
  expect(await answer('meta')).toEqual({ ...complete, a: 1, _meta: { ...info, mine: 1 } });
  expect(await answer('meta/inside')).toEqual({ ...complete, list: [{ _meta: { deep: 1 } }] });
  expect(await answer('type')).toEqual({ resultType: 'task', taskId: 't', _meta: info });
  expect((await answer('info'))._meta).toEqual({ [infoKey]: { name: 'other', version: '1' } });
});

test('lists and reads say how long they may be kept, in either form, and a hint of the method itself counts', async () => {
  const { app, send } = await sessionlessServer();
  for (const [method, result] of Object.entries(hinted)) {
    app.kernel.rpc.method(method, () => new RawBytes(JSON.stringify(result)));
    for (let each = 0; each < 2; each += 1) {
      const { json } = await send(modern(each, method, { uri: 'test://x' }));
      const cacheScope = method === 'resources/read' ? 'private' : 'public';
      expect(json.result).toEqual({ ...result, ttlMs: 0, cacheScope, resultType: 'complete', _meta: info });
    }
  }
  app.kernel.rpc.method('prompts/get', () => ({ messages: [] }));
  expect((await send(modern(1, 'prompts/get', { name: 'x' }))).json.result).not.toHaveProperty('ttlMs');
  const { app: other, send: ask } = await sessionlessServer();
  other.kernel.rpc.method('prompts/list', () => ({ prompts: [], ttlMs: 5, cacheScope: 'private' }));
  expect((await ask(modern(1, 'prompts/list'))).json.result).toMatchObject({ ttlMs: 5, cacheScope: 'private' });
});

test('an answer is plain JSON until something is said before it, and then a stream that nobody can resume', async () => {
  const { url, send } = await sessionlessServer();
  const quiet = await send(modern(1, 'test/progress'));
  expect(quiet.headers.get('content-type')).toBe('application/json');
  const message = modern('p', 'test/progress', {}, { progressToken: 'mine' });
  const events = await stream(url, headersOf(message), message);
  await events.ended();
  expect(events.response.headers.get('content-type')).toBe('text/event-stream');
  expect(events.response.headers.get('x-accel-buffering')).toBe('no');
  const params = (progress: number) => ({ progressToken: 'mine', progress });
  expect(events.messages()).toEqual([
    ...[1, 2, 3].map(each => ({ jsonrpc: '2.0', method: 'notifications/progress', params: params(each) })),
    { jsonrpc: '2.0', id: 'p', result: { done: true, resultType: 'complete', _meta: info } },
  ]);
  expect(events.events.every(each => each.id === undefined)).toBe(true);
  const plain = await send(message, { accept: 'application/json' });
  expect(plain.json).toMatchObject({ result: { done: true } });
});

test('log messages are sent from the level that the request names, and not at all without one', async () => {
  const { url, send } = await sessionlessServer();
  const levels = ['debug', 'info', 'warning', 'error'];
  const silent = await send(modern(1, 'test/log', { levels }));
  expect(silent.headers.get('content-type')).toBe('application/json');
  const message = modern(2, 'test/log', { levels }, { 'io.modelcontextprotocol/logLevel': 'warning' });
  const events = await stream(url, headersOf(message), message);
  await events.ended();
  const said = events.messages().slice(0, -1);
  expect(said.map(each => (each.params as Json).level)).toEqual(['warning', 'error']);
});

test('nothing but progress and log messages stands on the stream of a request', async () => {
  const { app, send } = await sessionlessServer();
  app.kernel.rpc.method('test/tells', (_params, context) => {
    context.notify('notifications/$/dcc.jobUpdated', { job_id: 'x' });
    context.notify('notifications/tools/list_changed', {});
    return {};
  });
  const answer = await send(modern(1, 'test/tells', {}, { progressToken: 1 }), { accept: both });
  expect(answer.headers.get('content-type')).toBe('application/json');
});

test('a client that goes away cancels its request, one that stays in a session does not', async () => {
  const { url, open, aborted, gates } = await sessionlessServer();
  const leave = async (message: Json, headers: Record<string, string>, started: () => unknown) => {
    const request = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
    request.on('error', () => {});
    request.end(JSON.stringify(message));
    await waitFor(started, 'the call');
    request.destroy();
  };
  const { session } = await open();
  const { _meta: _, ...params } = { name: 'stays', quiet: true, _meta: {} };
  await leave({ jsonrpc: '2.0', id: 1, method: 'test/wait', params }, session, () => gates.stays);
  for (const quiet of [true, false]) {
    const message = modern(2, 'test/wait', { name: `goes ${quiet}`, quiet }, { progressToken: 1 });
    const headers = { ...headersOf(modern(2, 'test/wait')), 'mcp-name': 'x' };
    await leave(message, headers, () => gates[`goes ${quiet}`]);
    await waitFor(() => aborted.includes(`goes ${quiet}`), 'the cancellation');
  }
  expect(aborted).toEqual(['goes true', 'goes false']);
});

test('shutdown waits for requests in flight, then answers what outlasts shutdown_grace_ms', async () => {
  const { app, send, release, gates } = await sessionlessServer({ shutdown_grace_ms: 400 });
  const done = send(modern(1, 'test/wait', { name: 'done', quiet: true }));
  const late = send(modern(2, 'test/wait', { name: 'late', quiet: true }));
  await waitFor(() => gates.done && gates.late, 'both calls');
  const closing = app.close();
  await release('done');
  expect((await done).json).toMatchObject({ id: 1, result: { waited: 'done' } });
  expect((await late).json).toMatchObject({ id: 2, error: { data: { code: 'SVC_RPC_CANCELLED' } } });
  await closing;
});
