/** The gateway's channel to an instance: calls leave HTTP, what is too large for it does not, and failures stay what they were. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { spawnInstance, startGateway, startInstance, type TestInstance } from './support.ts';

/** An instance behind a gateway, with a channel that is open, and a count of the POSTs that it gets. */
async function channelled() {
  const gateway = await startGateway();
  const instance = await startInstance(gateway);
  const backend = await gateway.backend(instance.instance_id);
  const posts = countPosts(instance);
  const call = (name: string, args: object, options = {}) =>
    backend.callRaw(name, JSON.stringify(args), undefined, options);
  await waitFor(async () => {
    const before = posts.count;
    await call('echo', {});
    return posts.count === before;
  }, 'a channel');
  posts.count = 0;
  return { ...instance, gateway, backend, posts, call };
}

function countPosts({ service }: TestInstance): { count: number } {
  const posts = { count: 0 };
  const count = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.method === 'POST' && request.socket.localPort === service.port) posts.count += 1;
  };
  subscribe('http.server.request.start', count);
  onTestFinished(() => void unsubscribe('http.server.request.start', count));
  return posts;
}

test('calls and reads go on the channel, and a slow one holds up nobody', async () => {
  const { call, backend, posts } = await channelled();
  const order: string[] = [];
  await Promise.all([
    call('wait', { ms: 300 }).then(() => order.push('slow')),
    ...Array.from({ length: 100 }, async (_, n) => {
      expect(await call('echo', { n, text: 'é\n"' })).toContain(`\\"n\\":${n}`);
      order.push('quick');
    }),
    backend.request('tools/list', {}).then(() => order.push('list')),
  ]);
  expect(order.at(-1)).toBe('slow');
  expect(order).toHaveLength(102);
  expect(posts.count).toBe(0);
  expect(backend.in_flight).toBe(0);
});

test('what is large goes by POST', async () => {
  const { call, posts } = await channelled();
  await call('echo', { text: 'x'.repeat(70_000) });
  expect(posts.count).toBe(1);
});

test('what calls tell on their way comes to each of them alone, and not after their answers', async () => {
  const { server, backend, posts } = await channelled();
  await server.registerTool(
    { name: 'steps', description: 'Reports.', execution: 'sync' },
    async ({ steps }, { progress }) => {
      for (let step = 1; step <= Number(steps); step += 1) {
        progress(step, Number(steps));
        await new Promise(resolve => setImmediate(resolve));
      }
      setTimeout(() => progress(99, 99), 20);
      return {};
    },
  );
  const told: Record<string, unknown[]> = {};
  const run = (token: string, steps: number) => {
    const heard: unknown[] = [];
    told[token] = heard;
    const onNotification = (_: string, { progress }: Record<string, unknown>): void => void heard.push(progress);
    return backend.callRaw('steps', JSON.stringify({ steps }), { progressToken: token }, { onNotification });
  };
  await Promise.all([run('a', 3), run('b', 1), run('c', 2)]);
  await new Promise(resolve => setTimeout(resolve, 60));
  expect(told).toEqual({ a: [1, 2, 3], b: [1], c: [1, 2] });
  expect(posts.count).toBe(0);
});

test('while a call asks, its deadline stands still', async () => {
  const { server, backend, posts } = await channelled();
  await server.registerTool({ name: 'asks', description: 'Asks.' }, async (_, { elicit }) => {
    const { action } = await elicit({ message: 'Go on?', schema: { properties: {} } });
    return { action };
  });
  const meta = { 'svc/client': { capabilities: { elicitation: {} } } };
  const ask = (afterMs: number) =>
    backend.callRaw('asks', '{}', meta, {
      timeoutMs: 300,
      onQuestion: async () => {
        await new Promise(resolve => setTimeout(resolve, afterMs));
        return { action: 'decline' };
      },
    });
  const answers = await Promise.all([ask(700), ask(10)]);
  for (const each of answers) expect(each).toContain('decline');
  // What was asked came on the channel; the answers to it are messages of their own.
  expect(posts.count).toBe(2);
});

test('a deadline and a caller who gives up end the wait here and the work there', async () => {
  const { call, server, posts } = await channelled();
  const cancelled: string[] = [];
  await server.registerTool({ name: 'patient', description: 'Waits for its end.' }, (_, { signal }) => {
    return new Promise(resolve => {
      signal.addEventListener('abort', () => {
        cancelled.push('cancelled');
        resolve({});
      });
    });
  });
  await expect(call('patient', {}, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'SVC_BACKENDS_TIMEOUT' });
  const controller = new AbortController();
  const given = call('patient', {}, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await expect(given).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
  await waitFor(() => cancelled.length === 2, 'both to be called off there');
  expect(await call('echo', { on: true })).toContain('on');
  // The calls went on the channel, and what calls them off is a notification.
  expect(posts.count).toBe(2);
});

test('an answer that is too large fails alone', async () => {
  const { call, server } = await channelled();
  await server.registerTool({ name: 'huge', description: 'Answers much.' }, () => ({
    text: 'x'.repeat(65 * 1024 ** 2),
  }));
  const huge = call('huge', {}).catch((error: { code: string }) => error.code);
  const others = await Promise.all(Array.from({ length: 20 }, (_, n) => call('echo', { n })));
  expect(others).toHaveLength(20);
  expect(['SVC_BACKENDS_TOO_LARGE', 'SVC_BACKENDS_RPC_ERROR']).toContain(await huge);
  expect(await call('echo', { still: 'here' })).toContain('here');
});

test('an instance that is killed fails what waits at once, and the next one is asked anew', async () => {
  const gateway = await startGateway();
  const { child, instance_id } = await spawnInstance(gateway);
  const backend = await gateway.backend(instance_id);
  for (let n = 0; n < 20; n += 1) await backend.callRaw('echo', '{}', undefined);
  const began = performance.now();
  const waiting = Array.from({ length: 10 }, () =>
    backend.callRaw('wait', '{"ms":20000}', undefined).catch((error: { code: string }) => error.code),
  );
  setTimeout(() => child.kill('SIGKILL'), 100);
  const codes = new Set(await Promise.all(waiting));
  expect([...codes].every(code => ['SVC_BACKENDS_GONE', 'SVC_BACKENDS_BROKEN'].includes(code as string))).toBe(true);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('a gateway that leaves lets what waits have its answer', async () => {
  const { gateway, call } = await channelled();
  const given = call('wait', { ms: 200 });
  await new Promise(resolve => setTimeout(resolve, 50));
  const closing = gateway.app.close();
  expect(await Promise.allSettled([given])).toHaveLength(1);
  await closing;
});
