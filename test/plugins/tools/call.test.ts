import { expect, test } from 'vitest';
import { context, rig, tool } from './support.ts';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const schema = {
  type: 'object',
  required: ['count'],
  properties: { count: { type: 'integer', minimum: 1 }, name: { type: 'string' } },
  additionalProperties: false,
};

test('a synchronous handler is answered synchronously: no promise on the hot path', async () => {
  const { app } = await rig();
  app.tools.publish('h', [tool('echo', {}, ({ text }) => text)], { source: 'host' });
  const params = { name: 'echo', arguments: { text: 'hi' } };
  const reply = app.kernel.rpc.dispatch({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, context(app));
  expect(reply).toBe('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}]}}');
});

test('params are validated: name, arguments and _meta (-32602); absent arguments are {}', async () => {
  const { app, ask } = await rig();
  app.tools.publish('h', [tool('echo')], { source: 'host' });
  for (const params of [
    {},
    { name: 7 },
    { name: '' },
    { name: 'echo', arguments: [] },
    { name: 'echo', arguments: null },
  ]) {
    expect((await ask('tools/call', params)).error?.code).toBe(-32602);
  }
  expect((await ask('tools/call', { name: 'echo', _meta: 'x' })).error?.message).toContain('"_meta"');
  expect((await ask('tools/call', { name: 'echo' })).result?.structuredContent).toEqual({});
});

test('an unknown tool is -32000 with its name and the nearest names', async () => {
  const { app, refused } = await rig();
  app.tools.publish('h', [tool('create_sphere'), tool('create_cube'), tool('delete')], { source: 'host' });
  const { error } = await refused('createSphere');
  expect(error).toMatchObject({ code: -32000, data: { code: 'SVC_TOOLS_NOT_FOUND', tool: 'createSphere' } });
  expect(error?.message).toMatch(/Tool "createSphere" is not found\. Did you mean create_sphere/);
  expect((await refused('__proto__')).error?.code).toBe(-32000);
  const huge = await refused('x'.repeat(1_000_000));
  expect(huge.error?.code).toBe(-32000);
  expect(huge.error?.message.length).toBeLessThan(400);
});

test('a stub that is called says exactly which tool to call instead', async () => {
  const { refused } = await rig();
  expect((await refused('__skill__media')).error?.message).toContain('call load_skill with {"skill_name": "media"}');
  expect((await refused('__group__rig')).error?.message).toContain(
    'call activate_tool_group with {"group_name": "rig"}',
  );
});

test('bad arguments are -32001, the message names every field, data.problems lists them; the handler never runs', async () => {
  const { app, call, refused } = await rig();
  let ran = 0;
  app.tools.publish('h', [tool('t', { input_schema: schema }, () => (ran += 1))], { source: 'host' });
  const { error } = await refused('t', { name: 5, colour: 'red' });
  expect(error?.code).toBe(-32001);
  expect(error?.message).toBe(
    'Invalid arguments for tool "t": "count" is required; "colour" is not a known field; "name" must be string',
  );
  expect(error?.data).toMatchObject({ code: 'SVC_TOOLS_INVALID_ARGUMENTS', tool: 't' });
  expect(error?.data.problems).toMatchObject([{ field: 'count' }, { field: 'colour' }, { field: 'name' }]);
  expect((await refused('t', { count: 0 })).error?.message).toContain('"count" must be >= 1');
  expect(ran).toBe(0);
  expect((await call('t', { count: 1 })).result).toEqual(text('1'));
});

test('a hundred thousand wrong items do not stall the loop', async () => {
  const { app, refused } = await rig();
  const input_schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } };
  app.tools.publish('h', [tool('t', { input_schema })], { source: 'host' });
  const started = performance.now();
  const { error } = await refused('t', { list: Array(100_000).fill(1) });
  expect(error?.message).toContain('"list.0" must be string');
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a handler that throws is -32002 with its message; no stack reaches the client', async () => {
  const { app, refused } = await rig();
  const failing = (thrown: unknown) => () => {
    throw thrown;
  };
  app.tools.publish(
    'h',
    [
      tool('sync', {}, failing(new TypeError('no such layer'))),
      tool('async', {}, async () => failing(new Error('later'))()),
      tool('text', {}, failing('just text')),
      tool('odd', {}, failing(Object.create(null))),
      tool('cyclic', {}, () => {
        const value: Record<string, unknown> = {};
        value.self = value;
        return value;
      }),
      tool('bigint', {}, () => ({ big: 1n })),
    ],
    { source: 'host' },
  );
  const { error } = await refused('sync');
  expect(error).toMatchObject({ code: -32002, message: 'Tool "sync" failed: no such layer' });
  expect(JSON.stringify(error)).not.toContain('.ts:');
  expect((await refused('async')).error?.message).toBe('Tool "async" failed: later');
  expect((await refused('text')).error?.message).toBe('Tool "text" failed: just text');
  expect((await refused('odd')).error?.code).toBe(-32002);
  expect((await refused('cyclic')).error?.message).toContain('no JSON form');
  expect((await refused('bigint')).error?.message).toContain('no JSON form');
});

test('errors of the table pass through a handler unchanged', async () => {
  const { app, refused } = await rig();
  app.tools.publish('h', [tool('t', {}, () => app.tools.call({ name: 'nothing', args: {} }))], { source: 'host' });
  expect((await refused('t')).error).toMatchObject({ code: -32000, data: { tool: 'nothing' } });
});

test('request_timeout_ms: a call that does not finish is -32002, its signal aborts', async () => {
  const { app, call, refused } = await rig({ request_timeout_ms: 200 });
  let aborted = false;
  const never = (_args: unknown, running: { signal: AbortSignal; deadline: number | undefined }) => {
    expect((running.deadline ?? 0) - Date.now()).toBeLessThanOrEqual(200);
    running.signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => undefined);
  };
  app.tools.publish('h', [tool('never', {}, never), tool('quick', {}, async () => 'done')], { source: 'host' });
  const { error } = await refused('never');
  expect(error).toMatchObject({ code: -32002, data: { code: 'SVC_TOOLS_TIMEOUT', timeout_ms: 200 } });
  expect(error?.message).toContain('"never" did not finish within 200 ms');
  expect(aborted).toBe(true);
  expect((await call('quick')).result).toEqual(text('done'));
});

test('cancellation aborts the signal of the running call and ends it', async () => {
  const { app, call } = await rig();
  let reason: unknown;
  const wait = (_args: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  app.tools.publish('h', [tool('wait', {}, wait)], { source: 'host' });
  const rpc = context(app, { protocolVersion: '2025-03-26' });
  const answer = call('wait', {}, rpc);
  rpc.cancel();
  expect((await answer).error?.data.code).toBe('SVC_RPC_CANCELLED');
  expect((reason as { code: string }).code).toBe('SVC_RPC_CANCELLED');
});

test('internal calls: own signal, own deadline, progress to the caller', async () => {
  const { app } = await rig({ request_timeout_ms: 30 });
  const { tools } = app;
  const slow = (_args: unknown, call: { progress(n: number): void; deadline: number | undefined }) => {
    call.progress(1);
    return new Promise(resolve => setTimeout(() => resolve(call.deadline ?? 'none'), 60));
  };
  tools.publish('h', [tool('slow', {}, slow), tool('never', {}, () => new Promise(() => undefined))], {
    source: 'host',
  });
  const seen: number[] = [];
  const result = await tools.call({
    name: 'slow',
    args: {},
    timeoutMs: 0,
    onProgress: n => void seen.push(n),
    onLog: () => undefined,
  });
  expect([result, seen]).toEqual([text('none'), [1]]);
  await expect(tools.call({ name: 'slow', args: {} })).rejects.toMatchObject({ code: 'SVC_TOOLS_TIMEOUT' });
  const controller = new AbortController();
  const waiting = tools.call({ name: 'never', args: {}, timeoutMs: 0, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
  await expect(tools.call({ name: 'slow', args: {}, signal: controller.signal })).rejects.toMatchObject({
    code: 'SVC_RPC_CANCELLED',
  });
});

test('closing the server gives up calls in flight', async () => {
  const { app, call } = await rig();
  app.tools.publish('h', [tool('never', {}, () => new Promise(() => undefined))], { source: 'host' });
  const answer = call('never');
  await app.close();
  expect((await answer).error?.message).toContain('shutting down');
});

test('progress: with a string or number token, strictly rising, none after completion', async () => {
  const { app, ask } = await rig();
  let running: { progress(...args: unknown[]): void } | undefined;
  const work = async (_args: unknown, call: { progress(...args: unknown[]): void }) => {
    running = call;
    call.progress(1, 10, 'one');
    await Promise.resolve();
    for (const value of [1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2, 2, 3]) call.progress(value);
    return 'ok';
  };
  app.tools.publish('h', [tool('work', {}, work)], { source: 'host' });
  const sent = async (progressToken: unknown) => {
    const rpc = context(app);
    await ask('tools/call', { name: 'work', _meta: { progressToken } }, rpc);
    running?.progress(99);
    return rpc.sent;
  };
  for (const token of ['t', 7, 0, '']) {
    expect(await sent(token)).toEqual([
      { method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 10, message: 'one' } },
      { method: 'notifications/progress', params: { progressToken: token, progress: 2 } },
      { method: 'notifications/progress', params: { progressToken: token, progress: 3 } },
    ]);
  }
  for (const token of [null, true, [1], {}, undefined]) expect(await sent(token)).toEqual([]);
});

test('call.log sends notifications/message with the tool as logger; odd data does not fail the call', async () => {
  const { app, call } = await rig();
  const log = (_args: unknown, running: { log(level: 'info', data: unknown): void }) => {
    running.log('info', { layer: 3 });
    running.log('info', 5n);
    return 'ok';
  };
  app.tools.publish('h', [tool('t', {}, log)], { source: 'host' });
  const rpc = context(app);
  expect((await call('t', {}, rpc)).result).toEqual(text('ok'));
  expect(rpc.sent).toEqual([
    { method: 'notifications/message', params: { level: 'info', logger: 't', data: { layer: 3 } } },
    { method: 'notifications/message', params: { level: 'info', logger: 't', data: '5n' } },
  ]);
});

test('thread affinity is enforced: a main-thread tool needs a host handler', async () => {
  const { app, call, refused } = await rig();
  const definition = { affinity: 'main', enforce_thread_affinity: true } as const;
  app.tools.publish('skill:s', [tool('t', definition, () => 'ran')], { source: 'skill', skill_name: 's' });
  expect((await refused('t')).error).toMatchObject({ code: -32002, data: { code: 'SVC_TOOLS_AFFINITY' } });
  app.tools.setHandler('t', () => 'host ran', 'host');
  expect((await call('t')).result).toEqual(text('host ran'));
});

test('admission may take a validated call over and run it in the background', async () => {
  const { app, call, refused } = await rig();
  const done: unknown[] = [];
  const seen: number[] = [];
  const undo = app.tools.setAdmission((record, _args, _call, run) => {
    if (record.execution !== 'async') return undefined;
    const { signal } = new AbortController();
    void run({ timeoutMs: 0, signal, onProgress: n => void seen.push(n), onLog: () => undefined }).then(result =>
      done.push(result),
    );
    return { content: [{ type: 'text', text: 'receipt' }] };
  });
  const work = async (_args: unknown, running: { progress(n: number): void; deadline: unknown; rpc: unknown }) => {
    await new Promise(resolve => setTimeout(resolve, 5));
    running.progress(5);
    return { deadline: running.deadline ?? null, rpc: running.rpc ?? null };
  };
  app.tools.publish('h', [tool('job', { execution: 'async', input_schema: schema }, work), tool('now')], {
    source: 'host',
  });
  expect((await refused('job', {})).error?.code).toBe(-32001);
  expect((await call('job', { count: 1 })).result).toEqual(text('receipt'));
  expect((await call('now')).result?.structuredContent).toEqual({});
  await expect.poll(() => done).toMatchObject([{ structuredContent: { deadline: null, rpc: null } }]);
  expect(seen).toEqual([5]);
  await undo();
  expect((await call('job', { count: 1 })).result?.structuredContent).toMatchObject({ deadline: expect.any(Number) });
});

test.each([
  ['session', '2025-06-18'],
  ['session', '2025-11-25'],
  ['sessionless', '2026-07-28'],
] as const)(
  '%s %s: bad arguments and failures are results with isError whose text a model can act on, an unknown tool is -32602',
  async (era, protocolVersion) => {
    const { app, call } = await rig();
    const fails = async () => {
      throw new Error('broken');
    };
    const asks = () => {
      throw Object.assign(new Error('no elicitation'), {
        code: 'SVC_MCP_CAPABILITY_MISSING',
        row: { rpc: -32603, sessionless: -32021, http: 400, template: '' },
        details: { requiredCapabilities: { elicitation: {} } },
      });
    };
    const nested = () => app.tools.call({ name: 'nothing', args: {} });
    const output_schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    app.tools.publish(
      'h',
      [
        tool('t', { input_schema: schema }),
        tool('fails', {}, fails),
        tool('asks', {}, asks),
        tool('nested', {}, nested),
        tool('odd', { output_schema }, () => ({ n: 'x' })),
      ],
      { source: 'host' },
    );
    const told = async (name: string) => (await call(name, {}, { era, protocolVersion })).result;
    expect((await call('nothing', {}, { era, protocolVersion })).error).toMatchObject({
      code: -32602,
      data: { code: 'SVC_TOOLS_NOT_FOUND' },
    });
    expect(await told('t')).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'Invalid arguments for tool "t": "count" is required' }],
      _meta: {
        dcc: {
          error: {
            code: 'SVC_TOOLS_INVALID_ARGUMENTS',
            kind: 'invalid-params',
            number: -32001,
            tool: 't',
            reason: '"count" is required',
            problems: [{ field: 'count', message: '"count" is required' }],
          },
        },
      },
    });
    expect(await told('fails')).toMatchObject({ isError: true, content: [{ text: 'Tool "fails" failed: broken' }] });
    // No structured content: a client would hold it against the output schema.
    expect(await told('odd')).not.toHaveProperty('structuredContent');
    // The tool that was called exists; what it called does not.
    expect(await told('nested')).toMatchObject({ isError: true, _meta: { dcc: { error: { kind: 'unknown-slug' } } } });
    const asked = await call('asks', {}, { era, protocolVersion });
    if (era === 'session') expect(asked.result?.isError).toBe(true);
    else expect(asked.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
  },
);
