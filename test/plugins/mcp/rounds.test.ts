import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { capabilities, headersOf, modern, sessionlessServer } from './sessionless-wire.ts';
import { type Answer, both, type Json, stream } from './wire.ts';

const forms = capabilities({ elicitation: {}, roots: {} });
const accept = (name: string) => ({ action: 'accept', content: { name } });
const errorOf = (answer: Answer) => answer.json.error as { code: number; message: string; data: Json };
const resultOf = (answer: Answer) => answer.json.result as Json & { requestState: string; inputRequests: Json };
const textOf = (answer: Answer) => (answer.json.result as { content: { text: string }[] }).content[0]?.text;

/** Calls a tool, with answers to what it asked before. */
async function rounds(options = {}) {
  const server = await sessionlessServer(options);
  let id = 0;
  const call = (name: string, more: Json = {}, own: Json = forms) => {
    id += 1;
    return server.send(modern(id, 'tools/call', { name, ...more }, own));
  };
  return { ...server, call };
}

test('a question ends the request; the answers go to the handler that asked, which runs once', async () => {
  const { call, runs } = await rounds();
  const asked = await call('one', { arguments: { a: 1, b: { c: 2 } } });
  expect(asked.status).toBe(200);
  expect(asked.json.result).toEqual({
    resultType: 'input_required',
    inputRequests: {
      user_name: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Who?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
    },
    requestState: expect.stringMatching(/^[\w-]{32}$/),
    _meta: { 'io.modelcontextprotocol/serverInfo': expect.anything() },
  });
  const { requestState } = resultOf(asked);
  const answered = await call('one', {
    arguments: { b: { c: 2 }, a: 1 },
    requestState,
    inputResponses: { user_name: accept('Ada'), extra: accept('x'), another: 5 },
  });
  expect(answered.json).toMatchObject({ id: 2, result: { resultType: 'complete' } });
  expect(textOf(answered)).toBe('Hello, Ada');
  expect(runs).toHaveLength(1);
});

test('what is asked in the same turn is asked at once, each question under a key of its own', async () => {
  const { call } = await rounds();
  const asked = resultOf(await call('two'));
  expect(Object.keys(asked.inputRequests)).toEqual(['elicitation', 'elicitation_2', 'roots']);
  expect(asked.inputRequests.roots).toEqual({ method: 'roots/list' });
  const inputResponses = { elicitation: accept('a'), elicitation_2: accept('b'), roots: { roots: [] } };
  const answered = await call('two', { requestState: asked.requestState, inputResponses });
  expect(JSON.parse(textOf(answered) ?? '')).toEqual([accept('a'), accept('b'), { roots: [] }]);
});

test('missing, wrong and malformed answers are asked for again; those that came are kept', async () => {
  const { call } = await rounds();
  let { requestState } = resultOf(await call('two'));
  const seen = new Set([requestState]);
  for (const inputResponses of [{}, { wrong: accept('x') }, { elicitation: 5, elicitation_2: null, roots: [] }]) {
    const again = resultOf(await call('two', { requestState, inputResponses }));
    expect(Object.keys(again.inputRequests)).toEqual(['elicitation', 'elicitation_2', 'roots']);
    requestState = again.requestState;
    expect(seen.has(requestState)).toBe(false);
    seen.add(requestState);
  }
  const partly = resultOf(await call('two', { requestState, inputResponses: { elicitation_2: accept('b') } }));
  expect(Object.keys(partly.inputRequests)).toEqual(['elicitation', 'roots']);
  const rest = { elicitation: accept('a'), roots: { roots: [] } };
  const answered = await call('two', { requestState: partly.requestState, inputResponses: rest });
  expect(JSON.parse(textOf(answered) ?? '')).toEqual([accept('a'), accept('b'), { roots: [] }]);
});

test('a second round asks under a new key and a new state', async () => {
  const { call, runs } = await rounds();
  const first = resultOf(await call('rounds'));
  expect(Object.keys(first.inputRequests)).toEqual(['step']);
  const second = resultOf(
    await call('rounds', { requestState: first.requestState, inputResponses: { step: accept('1') } }),
  );
  expect(Object.keys(second.inputRequests)).toEqual(['step_2']);
  expect(second.requestState).not.toBe(first.requestState);
  const done = await call('rounds', { requestState: second.requestState, inputResponses: { step_2: accept('2') } });
  expect(textOf(done)).toBe('1 2');
  expect(runs).toHaveLength(1);
});

test('a state that was tampered with, is used, foreign or unknown is -32602 and harms nobody', async () => {
  const { call, send } = await rounds();
  const { requestState } = resultOf(await call('one', { arguments: { a: 1 } }));
  const inputResponses = { user_name: accept('Ada') };
  const refused = [
    await call('one', { arguments: { a: 1 }, inputResponses, requestState: `${requestState}-TAMPERED` }),
    await call('one', { arguments: { a: 1 }, inputResponses, requestState: 'unknown' }),
    await call('one', { arguments: { a: 1 }, inputResponses, requestState: { $ne: '' } }),
    await call('one', { arguments: { a: 2 }, inputResponses, requestState }),
    await call('rounds', { arguments: { a: 1 }, inputResponses, requestState }),
    await send(modern(9, 'prompts/get', { name: 'one', arguments: { a: 1 }, inputResponses, requestState }, forms)),
  ];
  for (const answer of refused.slice(0, 5)) {
    expect([answer.status, errorOf(answer).code]).toEqual([200, -32602]);
    expect(errorOf(answer).data.code).toBe('SVC_MCP_STATE_UNKNOWN');
  }
  expect(refused[5]?.json.error).toBeDefined();
  const done = await call('one', { arguments: { a: 1 }, inputResponses, requestState });
  expect(textOf(done)).toBe('Hello, Ada');
  const again = await call('one', { arguments: { a: 1 }, inputResponses, requestState });
  expect(errorOf(again).code).toBe(-32602);
});

test('inputResponses that is no object is -32602 and uses no state up', async () => {
  const { call } = await rounds();
  const { requestState } = resultOf(await call('one'));
  for (const inputResponses of [5, 'x', null, [accept('x')]]) {
    expect(errorOf(await call('one', { requestState, inputResponses })).code).toBe(-32602);
    expect(errorOf(await call('one', { inputResponses })).code).toBe(-32602);
  }
  expect(textOf(await call('one', { requestState, inputResponses: { user_name: accept('Ada') } }))).toBe('Hello, Ada');
});

test('a client may answer before it is asked, under the key that it will be asked with', async () => {
  const { call } = await rounds();
  expect(textOf(await call('one', { inputResponses: { user_name: accept('Ada'), other: 1 } }))).toBe('Hello, Ada');
  const asked = await call('one', { inputResponses: { user_name: 12345 } });
  expect(resultOf(asked).resultType).toBe('input_required');
});

test('only what this very request declares is asked', async () => {
  const { call, failures } = await rounds();
  const refused = await call('one', {}, capabilities({ sampling: {} }));
  expect([refused.status, errorOf(refused).code]).toEqual([400, -32021]);
  expect(errorOf(refused).data.requiredCapabilities).toEqual({ elicitation: { form: {} } });
  const { requestState } = resultOf(await call('rounds'));
  const inputResponses = { step: accept('1') };
  const later = await call('rounds', { requestState, inputResponses }, capabilities({}));
  expect([later.status, errorOf(later).code]).toEqual([400, -32021]);
  expect(failures).toHaveLength(2);
});

test('who does not come back in time loses the run, which learns of it', async () => {
  const { call, failures, runs } = await rounds({ input_wait_secs: 1 });
  const { requestState } = resultOf(await call('one'));
  expect(runs[0]?.signal.aborted).toBe(false);
  await waitFor(() => failures[0], 'the end of the run');
  expect(failures[0]).toMatchObject({ code: 'SVC_RPC_CANCELLED' });
  expect(runs[0]?.signal.aborted).toBe(true);
  const late = await call('one', { requestState, inputResponses: { user_name: accept('Ada') } });
  expect(errorOf(late).code).toBe(-32602);
});

test('a run that goes on without its answer keeps its result for who comes back', async () => {
  const { call, failures } = await rounds();
  const { requestState } = resultOf(await call('short'));
  await waitFor(() => failures[0], 'the time-out of the question');
  await sleep(10);
  const late = await call('short', { requestState, inputResponses: { quick: accept('x') } });
  expect(late.json).toMatchObject({ id: 2, error: { code: -32603, data: { code: 'SVC_RPC_TIMEOUT' } } });
});

test('beyond max_waiting_requests the run that waits longest is given up', async () => {
  const { call, failures } = await rounds({ max_waiting_requests: 2 });
  const states: string[] = [];
  for (let each = 0; each < 3; each += 1) states.push(resultOf(await call('one')).requestState);
  await waitFor(() => failures[0], 'the oldest');
  const answered = await Promise.all(
    states.map(requestState => call('one', { requestState, inputResponses: { user_name: accept('Ada') } })),
  );
  expect(answered.map(each => each.json.error === undefined)).toEqual([false, true, true]);
});

test('shutdown gives up what waits for its client and closes at once', async () => {
  const { app, call, failures } = await rounds({ shutdown_grace_ms: 60_000 });
  await call('one');
  const began = Date.now();
  await app.close();
  // It would wait for all of the grace.
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(failures).toMatchObject([{ code: 'SVC_RPC_CANCELLED' }]);
});

test('a question that nobody waits for ends with its request', async () => {
  const { call } = await rounds();
  expect(textOf(await call('loose'))).toBe('done');
});

test('after progress the question is the last event of the stream, and never a request', async () => {
  const { app, url } = await rounds();
  app.kernel.rpc.method('resources/read', async (params, context) => {
    const { progressToken } = params._meta as { progressToken: string };
    context.notify('notifications/progress', { progressToken, progress: 1 });
    await context.request('roots/list', {}, 5000);
    return { contents: [] };
  });
  const message = modern(1, 'resources/read', { uri: 'test://x' }, { ...forms, progressToken: 'p' });
  const events = await stream(url, { ...headersOf(message), accept: both }, message);
  await events.ended();
  expect(events.messages()).toMatchObject([
    { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    { id: 1, result: { resultType: 'input_required', inputRequests: { roots: { method: 'roots/list' } } } },
  ]);
});
