/** Requests to instances: in the gateway's own session, with deadlines, cancelling and errors that name the instance. */
import { expect, test, vi } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { spawnInstance, startGateway, startInstance } from './support.ts';

test('a request opens the session on first need and shares it', async () => {
  const gateway = await startGateway();
  const states: string[] = [];
  gateway.app.kernel.bus.on('backend.*', ({ name }) => void states.push(name));
  const { instance_id, service } = await startInstance(gateway);
  const backend = await gateway.backend(instance_id);
  expect(states).toEqual([]);
  const lists = await Promise.all([1, 2, 3].map(() => backend.request('tools/list', {}, { idempotent: true })));
  expect(states).toEqual(['backend.connected']);
  for (const list of lists as { tools: { name: string }[] }[]) {
    expect(list.tools.map(each => each.name)).toContain('echo');
  }
  expect(backend.in_flight).toBe(0);
  await waitFor(() => backend.ready === true, 'the probe');
  expect(gateway.app.backends.get(instance_id.slice(0, 8))).toBe(backend);
  expect(gateway.app.backends.ofType('MAYA')).toEqual([backend]);
  expect(service.port).toBe(backend.instance.port);
});

test('callRaw passes arguments and result as text', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway);
  const backend = await gateway.backend(instance_id);
  const resultJson = await backend.callRaw('echo', '{"text":"a \\u00e9 \\" } \\n","n":1e0}', undefined);
  const result = JSON.parse(resultJson) as { content: { text: string }[] };
  expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({ text: 'a é " } \n', n: 1 });
});

test('an error of the instance keeps its number, its message and its data', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway);
  const backend = await gateway.backend(instance_id);
  const error = await backend.callRaw('no_such_tool', '{}', undefined).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'SVC_BACKENDS_RPC_ERROR',
    row: { rpc: -32602, http: 502, kind: 'backend-error' },
    details: { instance_id, dcc_type: 'maya', backend: `maya.${instance_id.slice(0, 8)}`, retryable: false },
  });
  // A failed call is a result in the revision that the gateway speaks, and has the number of the specification in it.
  await expect(backend.callRaw('jobs_get_status', '{}', undefined)).rejects.toMatchObject({
    message: 'Invalid arguments for tool "jobs_get_status": "job_id" is required',
    row: { rpc: -32001 },
    details: { backend_error: { code: -32001, data: { code: 'SVC_TOOLS_INVALID_ARGUMENTS', kind: 'invalid-params' } } },
  });
  expect((error as Error).message).toContain('no_such_tool');
  expect(backend.circuit).toBe('closed');
});

test('progress of a request reaches its caller, and nobody else', async () => {
  const gateway = await startGateway();
  const others: string[] = [];
  gateway.app.kernel.bus.on('internal.backend.notified', ({ attributes }) => void others.push(attributes.method));
  const { instance_id, server } = await startInstance(gateway);
  await server.registerTool({ name: 'steps', description: 'Reports.', execution: 'sync' }, async (_, call) => {
    for (let step = 1; step <= 3; step += 1) call.progress(step, 3);
    await new Promise(resolve => setTimeout(resolve, 20));
    return { done: true };
  });
  const backend = await gateway.backend(instance_id);
  const seen: unknown[] = [];
  const params = { name: 'steps', arguments: {}, _meta: { progressToken: 'p1' } };
  await backend.request('tools/call', params, { onNotification: (method, given) => void seen.push([method, given]) });
  expect(seen.length).toBeGreaterThan(0);
  for (const each of seen) expect(each).toMatchObject(['notifications/progress', { progressToken: 'p1' }]);
  expect(others).not.toContain('notifications/progress');
});

test('a deadline ends a call and calls it off over there', async () => {
  const gateway = await startGateway();
  const { instance_id, server } = await startInstance(gateway);
  const [begun, aborted] = [vi.fn(), vi.fn()];
  await server.registerTool({ name: 'hang', description: 'Hangs.' }, async (_, call) => {
    begun();
    await new Promise<void>(resolve => {
      call.signal.addEventListener('abort', () => {
        aborted();
        resolve();
      });
    });
    return {};
  });
  const backend = await gateway.backend(instance_id);
  const call = backend.request('tools/call', { name: 'hang', arguments: {} }, { timeoutMs: 1000 });
  await expect(call).rejects.toMatchObject({
    code: 'SVC_BACKENDS_TIMEOUT',
    row: { http: 502, kind: 'backend-error' },
    details: { instance_id, timeout_ms: 1000 },
  });
  await waitFor(() => aborted.mock.calls.length === 1, 'the cancellation');

  const leaving = new AbortController();
  const second = backend.callRaw('hang', '{}', undefined, { signal: leaving.signal });
  await waitFor(() => backend.in_flight === 1, 'the call');
  await waitFor(() => begun.mock.calls.length === 2, 'the call to begin');
  leaving.abort();
  await expect(second).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
  await waitFor(() => aborted.mock.calls.length === 2, 'the second cancellation');
  expect(backend.in_flight).toBe(0);
  await expect(backend.callRaw('echo', '{}', undefined, { signal: leaving.signal })).rejects.toMatchObject({
    code: 'SVC_RPC_CANCELLED',
  });
});

test('more than the bounded calls in flight are refused with a time to come back', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway);
  const backend = await gateway.backend(instance_id);
  for (let taken = 0; taken < 256; taken += 1) backend.enter();
  await expect(backend.request('ping', {})).rejects.toMatchObject({
    code: 'SVC_BACKENDS_BUSY',
    row: { http: 503, kind: 'host-busy' },
    details: { retry_after_secs: 1, retryable: true },
  });
  for (let taken = 0; taken < 256; taken += 1) backend.leave(true);
  await expect(backend.request('ping', {})).resolves.toEqual({});
});

test('an instance that is killed answers its callers with a typed error at once and is gone within a second', async () => {
  const gateway = await startGateway();
  const { child, instance_id } = await spawnInstance(gateway);
  const { instance_id: other } = await startInstance(gateway, 'blender');
  const backend = await gateway.backend(instance_id);
  const neighbour = await gateway.backend(other);
  const waiting = Array.from({ length: 20 }, () =>
    backend.callRaw('wait', '{"ms":15000}', undefined).catch((error: unknown) => error),
  );
  await waitFor(() => backend.in_flight === 20, 'the calls');
  const killed = performance.now();
  child.kill('SIGKILL');
  for (const error of await Promise.all(waiting)) {
    expect(error).toMatchObject({ row: { http: 502 }, details: { instance_id } });
    expect((error as { row: { kind: string } }).row.kind).toMatch(/^(host-died|backend-error)$/);
  }
  expect(performance.now() - killed).toBeLessThan(10_000);
  await waitFor(() => gateway.app.backends.list().every(each => each !== backend), 'its absence');
  expect(performance.now() - killed).toBeLessThan(10_000);
  await expect(backend.request('ping', {})).rejects.toMatchObject({
    row: { kind: expect.stringMatching(/host-died|offline/) },
  });
  await expect(neighbour.request('ping', {})).resolves.toEqual({});
});
