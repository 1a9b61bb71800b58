import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { call, initialize, type Json, mcpServer, request, stream } from './wire.ts';

const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'enough' },
});

test('notifications/cancelled aborts the running call, which gets no answer', async () => {
  const { app, url, post, open, gates, aborted } = await mcpServer();
  const { session } = await open();
  const other = await open();
  const plain = post(call('p', 'test/wait', { name: 'plain', quiet: true }), session);
  const streamed = await stream(url, session, call('s', 'test/wait', { name: 'streamed' }));
  await waitFor(() => gates.plain && gates.streamed, 'both calls');
  await post(cancel('p'), other.session);
  await post(cancel('nobody'), session);
  expect(aborted).toEqual([]);
  expect((await post(cancel('p'), session)).status).toBe(202);
  const answer = await plain;
  expect([answer.status, answer.text]).toEqual([202, '']);
  await post(cancel('s'), session);
  await streamed.ended();
  expect(streamed.messages().map(each => each.id)).toEqual([undefined]);
  expect(aborted).toEqual(['plain', 'streamed']);
  // A client that takes the silent end for a broken connection must not be able to resume for ever.
  const last = { ...session, accept: 'text/event-stream', 'last-event-id': streamed.events.at(-1)?.id ?? '' };
  expect((await request(url, 'GET', undefined, last)).status).toBe(400);
  gates.streamed?.();
  const inner = app.mcp.sessions.get(session['mcp-session-id']) as unknown as { busy: boolean };
  expect(inner.busy).toBe(false);
});

test('the signal is aborted even when the handler asks for it only after the cancel', async () => {
  const { app, post, open } = await mcpServer();
  const { session } = await open();
  let goOn = (): void => {};
  let late: AbortSignal | undefined;
  app.kernel.rpc.method('test/late', async (_params, context) => {
    await new Promise<void>(resolve => {
      goOn = resolve;
    });
    late = context.signal;
  });
  const running = post(call(1, 'test/late'), session);
  await waitFor(() => app.mcp.sessions.list().some(each => (each as unknown as { busy: boolean }).busy), 'the call');
  await post(cancel(1), session);
  await running;
  goOn();
  await waitFor(() => late, 'the signal');
  expect(late?.aborted).toBe(true);
});

test('logging/setLevel is per session, refuses an unknown level, and drops what is below', async () => {
  const { app, url, post, open } = await mcpServer();
  const quiet = await open('2025-06-18');
  const usual = await open('2025-06-18');
  for (const level of ['loud', 3, undefined]) {
    const answer = await post(call(1, 'logging/setLevel', { level }), quiet.session);
    expect(answer.json).toMatchObject({ error: { code: -32602 } });
  }
  expect((await post(call(2, 'logging/setLevel', { level: 'error' }), quiet.session)).json).toMatchObject({
    result: {},
  });
  const log = call(3, 'test/log', { levels: ['debug', 'info', 'warning', 'error', 'emergency'] });
  const levels = async (session: Record<string, string>) => {
    const events = await stream(url, session, log);
    await events.ended();
    return events.messages().flatMap(each => ((each.params as Json) ? [(each.params as Json).level] : []));
  };
  expect(await levels(quiet.session)).toEqual(['error', 'emergency']);
  expect(await levels(usual.session)).toEqual(['info', 'warning', 'error', 'emergency']);
  const standing = await stream(url, quiet.session);
  app.mcp.broadcast('notifications/message', { level: 'info', data: 1 });
  app.mcp.broadcast('notifications/message', { level: 'critical', data: 2 });
  await waitFor(() => standing.messages().length > 0, 'the message');
  expect(standing.messages().map(each => (each.params as Json).data)).toEqual([2]);
});

/** What a client says that can be asked for its roots. */
const asked = { capabilities: { roots: {} } };

test('a server request goes out on the stream of its call and is answered by a POST', async () => {
  const { url, post, open } = await mcpServer();
  const { session } = await open('2025-11-25', asked);
  const other = await open();
  const events = await stream(url, session, call(1, 'test/ask'));
  const question = await waitFor(() => events.messages()[0], 'the question');
  expect(question).toMatchObject({ jsonrpc: '2.0', method: 'roots/list', id: expect.any(String) });
  const answer = { jsonrpc: '2.0', id: question.id, result: { roots: [{ uri: 'file:///a' }] } };
  expect((await post(answer, other.session)).status).toBe(202);
  expect(events.state.ended).toBe(false);
  expect((await post(answer, session)).status).toBe(202);
  await events.ended();
  expect(events.messages()[1]).toEqual({ jsonrpc: '2.0', id: 1, result: { roots: [{ uri: 'file:///a' }] } });
  expect((await post(answer, session)).status).toBe(202);
});

test('a client is not asked for what it has not declared', async () => {
  const { post, open } = await mcpServer();
  const { session } = await open();
  expect((await post(call(1, 'test/ask'), session)).json).toMatchObject({
    error: { code: -32603, data: { code: 'SVC_MCP_CAPABILITY_MISSING', requiredCapabilities: { roots: {} } } },
  });
});

test('a client that takes JSON only is asked on its standing stream, or not at all', async () => {
  const { url, post, open } = await mcpServer();
  const { session } = await open('2025-11-25', asked);
  expect((await post(call(1, 'test/ask'), session)).json).toMatchObject({
    error: { code: -32603, data: { code: 'SVC_MCP_NO_STREAM' } },
  });
  const standing = await stream(url, session);
  const answered = post(call(2, 'test/ask'), session);
  const question = await waitFor(() => standing.messages()[0], 'the question');
  await post({ jsonrpc: '2.0', id: question.id, error: { code: -32601, message: 'no roots here' } }, session);
  expect((await answered).json).toMatchObject({
    error: { code: -32603, message: expect.stringContaining('no roots here'), data: { code: 'SVC_MCP_CLIENT_ERROR' } },
  });
});

test('a server request ends at its timeout, with its call, and with its session', async () => {
  const { url, post, open } = await mcpServer();
  const { session } = await open('2025-06-18', asked);
  const late = await stream(url, session, call(1, 'test/ask', { timeout: 50 }));
  await late.ended();
  expect(late.messages().map(each => each.method ?? (each.error as Json).code)).toEqual([
    'roots/list',
    'notifications/cancelled',
    -32603,
  ]);
  const cancelled = await stream(url, session, call(2, 'test/ask'));
  await waitFor(() => cancelled.messages().length === 1, 'the question');
  await post(cancel(2), session);
  await cancelled.ended();
  expect(cancelled.messages().map(each => each.method)).toEqual(['roots/list', 'notifications/cancelled']);
  const orphan = await stream(url, session, call(3, 'test/ask'));
  await waitFor(() => orphan.messages().length === 1, 'the question');
  await request(url, 'DELETE', undefined, session);
  await orphan.ended();
  expect(orphan.messages().at(-1)).toMatchObject({ id: 3, error: { data: { code: 'SVC_RPC_CANCELLED' } } });
});

test('completion/complete asks the providers, caps at 100 values and refuses what it does not know', async () => {
  const { app, post, open } = await mcpServer();
  const { session } = await open();
  const seen: unknown[] = [];
  app.mcp.completion('ref/prompt', () => undefined);
  const remove = app.mcp.completion('ref/prompt', async ({ ref, argument, context }) => {
    seen.push(context);
    if (ref.name === 'many') return Array.from({ length: 250 }, (_, n) => `v${n}`);
    return ref.name === 'known' ? ['alpha', 'beta'].filter(each => each.startsWith(argument.value)) : undefined;
  });
  const ask = (params: Json) => post(call(1, 'completion/complete', params), session);
  const prompt = (name: string) => ({ ref: { type: 'ref/prompt', name }, argument: { name: 'a', value: 'b' } });
  expect((await ask({ ...prompt('known'), context: { arguments: { x: 'y' } } })).json.result).toEqual({
    completion: { values: ['beta'], total: 1, hasMore: false },
  });
  expect(seen).toEqual([{ x: 'y' }]);
  const many = (await ask(prompt('many'))).json.result as { completion: { values: string[] } };
  expect(many.completion).toMatchObject({ total: 250, hasMore: true });
  expect(many.completion.values).toHaveLength(100);
  const argument = { name: 'a', value: 'b' };
  for (const params of [
    prompt('unknown'),
    { ref: { type: 'ref/other' }, argument },
    { ref: { type: 'ref/resource', uri: 'x://y' }, argument },
    { argument },
    { ref: 'x', argument },
    { ref: { type: 'ref/prompt' }, argument },
    { ref: { type: 'ref/prompt', name: 'known' } },
    { ref: { type: 'ref/prompt', name: 'known' }, argument: { name: 'a', value: 5 } },
    { ...prompt('known'), context: { arguments: { x: 1 } } },
  ]) {
    expect((await ask(params)).json).toMatchObject({ error: { code: -32602 } });
  }
  void remove();
  expect((await ask(prompt('known'))).json).toMatchObject({ error: { code: -32602 } });
});

test('shutdown waits for calls in flight, aborts what outlasts shutdown_grace_ms, and ends the streams', async () => {
  const { app, url, base, post, open, release, gates, aborted } = await mcpServer({ shutdown_grace_ms: 1500 });
  const { session } = await open();
  const standing = await stream(url, session);
  const quick = post(call(1, 'test/wait', { name: 'quick', quiet: true }), session);
  const stuck = post(call(2, 'test/wait', { name: 'stuck', quiet: true }), session);
  await waitFor(() => gates.quick && gates.stuck, 'both calls');
  const closing = app.close();
  const refused = await fetch(base, { method: 'POST', body: '{}' })
    .then(each => each.status)
    .catch(() => 'refused');
  expect([503, 'refused']).toContain(refused);
  await release('quick');
  expect((await quick).json).toMatchObject({ result: { waited: 'quick' } });
  expect((await stuck).json).toMatchObject({ id: 2, error: { data: { code: 'SVC_RPC_CANCELLED' } } });
  expect(aborted).toEqual(['stuck']);
  await closing;
  await standing.ended();
  expect(app.kernel.scope.list()).toEqual([]);
  await expect(post(initialize('2025-11-25'))).rejects.toThrow();
});
