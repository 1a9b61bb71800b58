/** Jobs as tasks of MCP's tasks extension: the same record on another wire. */
import { expect, test } from 'vitest';
import type { Server, ServerOptions } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { testServer } from '../../server.ts';
import { connect, type Json, messagesOf, post, type RpcMessage } from '../../spec/wire.ts';
import { capabilities, envelope, headersOf, modern } from '../mcp/sessionless-wire.ts';
import { stream } from '../mcp/wire.ts';

const extension = 'io.modelcontextprotocol/tasks';
const declared = capabilities({ elicitation: {}, extensions: { [extension]: {} } });
const form = { properties: { name: { type: 'string' } } };

async function served(options: ServerOptions = {}) {
  const server: Server = testServer('ambient', options);
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const tool = (name: string, handler: Parameters<Server['registerTool']>[1], metadata: Json = {}) =>
    server.registerTool({ name, execution: 'async', metadata }, handler);
  tool('hold', async (_args, call) => {
    await Promise.race([released, new Promise(resolve => call.signal.addEventListener('abort', resolve))]);
    call.signal.throwIfAborted();
    return { held: true };
  });
  tool('reports', () => ({ success: false, message: 'no' }), { task: 'required' });
  tool('throws', () => {
    throw new Error('the disk is full');
  });
  const greet: Parameters<Server['registerTool']>[1] = async (_args, call) => {
    const ask = (key: string) => call.elicit({ key, message: `${key}?`, schema: form });
    const answers = await Promise.all([ask('first'), ask('second')]);
    const third = await ask('first');
    return [...answers, third].map(each => each.content?.name).join(' ');
  };
  tool('greet', greet);
  tool('first', greet, { task: 'after_input' });
  const url = (await server.start()).mcpUrl();
  let lastId = 0;
  const send = async (method: string, params: Json = {}, own: Json = declared, more: Record<string, string> = {}) => {
    lastId += 1;
    const message = modern(lastId, method, params, own);
    const named = typeof params.taskId === 'string' ? { 'mcp-name': params.taskId } : {};
    const answer = await post(url, message, { ...headersOf(message), ...named, ...more });
    const [found] = messagesOf(answer).filter(each => each.id === lastId);
    return { ...(found as RpcMessage), status: answer.status };
  };
  const call = async (name: string) => (await send('tools/call', { name, arguments: {} })).result ?? {};
  const get = async (taskId: unknown) => (await send('tasks/get', { taskId })).result ?? {};
  const settled = (taskId: unknown) =>
    waitFor(async () => {
      const task = await get(taskId);
      return ['working', 'input_required'].includes(String(task.status)) ? undefined : task;
    }, 'the end of the task');
  return { url, send, call, get, settled, release: () => release(), close: () => server.close() };
}

test('a job is a task with the same id: working, completed with its result inlined; the other forms tell the same', async () => {
  const { url, call, get, settled, release } = await served();
  const task = await call('hold');
  expect(task).toMatchObject({
    resultType: 'task',
    status: 'working',
    ttlMs: null,
    pollIntervalMs: expect.any(Number),
  });
  expect(task).not.toHaveProperty('content');
  expect(await get(task.taskId)).toMatchObject({ resultType: 'complete', taskId: task.taskId, status: 'working' });
  release();
  const done = await settled(task.taskId);
  expect(done).toMatchObject({ status: 'completed', result: { structuredContent: { held: true } } });
  expect(done).not.toHaveProperty('error');
  const session = await connect(url, { protocolVersion: '2025-11-25' });
  const record = (await session.call('jobs_get_status', { job_id: task.taskId })).structuredContent as Json;
  expect(record).toMatchObject({ status: 'completed', created_at: task.createdAt, updated_at: done.lastUpdatedAt });
});

test('a tool that reports a failure has completed, one that throws has failed, one that is cancelled is cancelled', async () => {
  const { send, call, settled } = await served();
  const reported = await settled((await call('reports')).taskId);
  expect(reported).toMatchObject({ status: 'completed', result: { isError: true } });
  const thrown = await settled((await call('throws')).taskId);
  expect(thrown).toMatchObject({ status: 'failed', error: { code: -32603 } });
  expect((thrown.error as Json).message).toContain('the disk is full');
  expect(thrown).not.toHaveProperty('result');
  const { taskId } = await call('hold');
  for (let again = 0; again < 2; again += 1) {
    const { result } = await send('tasks/cancel', { taskId });
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType']);
    expect((await settled(taskId)).status).toBe('cancelled');
  }
});

test('what a task asks is answered bit by bit with tasks/update; a key is never used twice', async () => {
  const { send, call, get, settled } = await served();
  const { taskId } = await call('greet');
  const asked = async () => Object.keys(((await get(taskId)).inputRequests ?? {}) as object);
  await waitFor(async () => (await asked()).length === 2, 'both questions');
  expect(await get(taskId)).toMatchObject({
    status: 'input_required',
    inputRequests: { first: { method: 'elicitation/create', params: { message: 'first?' } } },
  });
  const update = (inputResponses: unknown) => send('tasks/update', { taskId, inputResponses });
  const answer = (name: string) => ({ action: 'accept', content: { name } });
  expect((await update({ first: answer('a'), nobody: answer('x') })).result).toMatchObject({ resultType: 'complete' });
  expect(await asked()).toEqual(['second']);
  expect((await update('rubbish')).error?.code).toBe(-32602);
  await update({ second: answer('b') });
  await waitFor(async () => (await asked()).includes('first_2'), 'the third question');
  await update({ first_2: answer('c') });
  expect((await settled(taskId)).result).toMatchObject({ content: [{ text: 'a b c' }] });
});

test('task: after_input asks in the answer to the call, which becomes a task with the answer', async () => {
  const { send, settled } = await served();
  const params = { name: 'first', arguments: {} };
  const asked = (await send('tools/call', params)).result ?? {};
  expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { first: {}, second: {} } });
  expect(asked).not.toHaveProperty('taskId');
  const answer = (name: string) => ({ action: 'accept', content: { name } });
  const inputResponses = { first: answer('a'), second: answer('b') };
  const again = { ...params, requestState: asked.requestState, inputResponses };
  const task = (await send('tools/call', again)).result ?? {};
  expect(task).toMatchObject({ resultType: 'task', taskId: expect.any(String) });
  expect(task).not.toHaveProperty('requestState');
  const { taskId } = task;
  await waitFor(async () => (await send('tasks/get', { taskId })).result?.status === 'input_required', 'the question');
  const { inputRequests } = (await send('tasks/get', { taskId })).result ?? {};
  const [key] = Object.keys(inputRequests as object);
  await send('tasks/update', { taskId, inputResponses: { [String(key)]: answer('c') } });
  expect((await settled(taskId)).result).toMatchObject({ content: [{ text: 'a b c' }] });
});

test('bad input: unknown ids, methods that are gone, clients without the extension, sessions', async () => {
  const { url, send, call } = await served();
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const params = { taskId: 'nobody', inputResponses: {} };
    expect((await send(method, params)).error).toMatchObject({ code: -32602 });
    const refused = await send(method, params, {});
    expect(refused).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [extension]: {} } } } },
    });
  }
  for (const method of ['tasks/list', 'tasks/result']) {
    expect(await send(method, { taskId: 'x' })).toMatchObject({ status: 404, error: { code: -32601 } });
  }
  const refused = await send('tools/call', { name: 'reports', arguments: {} }, {});
  expect(refused).toMatchObject({ status: 400, error: { code: -32021, data: { tool: 'reports' } } });
  // A tool that may be a task answers with the receipt of its job.
  const receipt = await send('tools/call', { name: 'throws', arguments: {} }, {});
  expect(receipt.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'pending' } });
  const session = await connect(url, { protocolVersion: '2025-11-25' });
  const { taskId } = await call('hold');
  expect((await session.request('tasks/get', { taskId })).error?.code).toBe(-32601);
  expect(await session.call('reports')).toMatchObject({ structuredContent: { status: 'pending' } });
});

test('taskIds of subscriptions/listen: every change of those tasks, of no other', async () => {
  const { url, call, release, settled } = await served();
  const [mine, other] = [await call('hold'), await call('hold')];
  const filter = { notifications: { taskIds: [mine.taskId, 'nobody', 7] } };
  const message = modern('listen-1', 'subscriptions/listen', filter, declared);
  const listening = await stream(url, headersOf(message), message);
  const found = (fits: (message: Json) => boolean) =>
    waitFor(() => listening.messages().find(fits), 'a message of the stream') as Promise<{ params: Json }>;
  const acknowledged = await found(each => each.method === 'notifications/subscriptions/acknowledged');
  expect(acknowledged.params).toMatchObject({ notifications: { taskIds: [mine.taskId] } });
  release();
  const told = await found(
    each => each.method === 'notifications/tasks' && (each.params as Json).status === 'completed',
  );
  expect(told.params).toMatchObject({ taskId: mine.taskId, result: { structuredContent: { held: true } } });
  await settled(other.taskId);
  expect(JSON.stringify(listening.messages())).not.toContain(String(other.taskId));
});

test('a server that closes tells the listeners of a task that it was interrupted, before their stream ends', async () => {
  const { url, call, close } = await served();
  const { taskId } = await call('hold');
  const message = modern('listen-2', 'subscriptions/listen', { notifications: { taskIds: [taskId] } }, declared);
  const listening = await stream(url, headersOf(message), message);
  await waitFor(() => listening.messages().length > 0, 'the acknowledgement');
  await close();
  const told = listening.messages().filter(each => each.method === 'notifications/tasks') as { params: Json }[];
  expect(told.at(-1)?.params).toMatchObject({
    taskId,
    status: 'failed',
    error: { message: expect.stringContaining('restart') },
  });
  expect(listening.messages().at(-1)).toMatchObject({ id: 'listen-2', result: { resultType: 'complete' } });
});

test('server/discover advertises the extension', async () => {
  const { send } = await served();
  const { result } = await send('server/discover', {}, envelope());
  expect(result?.capabilities).toMatchObject({ extensions: { [extension]: {} } });
});

test('a task of another caller is unknown to every method, and goes on', async () => {
  const tokens = ['a-token-of-the-owner', 'a-token-of-somebody-else'];
  const auth_tokens = tokens.map(token => ({ label: token, token, scopes: ['call' as const] }));
  const { url, send, release } = await served({ auth_tokens });
  const [mine = {}, other = {}] = tokens.map(token => ({ authorization: `Bearer ${token}` }));
  const { taskId } = (await send('tools/call', { name: 'hold', arguments: {} }, declared, mine)).result ?? {};
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const refused = await send(method, { taskId, inputResponses: {} }, declared, other);
    const unknown = await send(method, { taskId: 'nobody', inputResponses: {} }, declared, other);
    const named = { ...unknown.error, message: unknown.error?.message.replace('nobody', String(taskId)) };
    expect(refused, method).toMatchObject({
      status: unknown.status,
      error: { code: named.code, message: named.message },
    });
  }
  const message = modern('listen-3', 'subscriptions/listen', { notifications: { taskIds: [taskId] } }, declared);
  const listening = await stream(url, { ...headersOf(message), ...other }, message);
  const [acknowledged] = await waitFor(
    () => (listening.messages().length > 0 ? listening.messages() : undefined),
    'it',
  );
  expect(acknowledged).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  expect(JSON.stringify(acknowledged)).not.toContain(String(taskId));
  expect((await send('tasks/get', { taskId }, declared, mine)).result).toMatchObject({ status: 'working' });
  release();
  await waitFor(
    async () => (await send('tasks/get', { taskId }, declared, mine)).result?.status === 'completed',
    'its end',
  );
  expect(listening.messages()).toEqual([acknowledged]);
});
