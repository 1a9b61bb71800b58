import { expect, test } from 'vitest';
import { startHost } from '../../host-process.ts';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const textOf = (answer: { body: unknown }): string => JSON.stringify(answer.body);

test('while the host blocks, the server answers, a host call fails at request_timeout_ms and never runs [spec:config:request-timeout]', async () => {
  const host = await startHost({ request_timeout_ms: 1000 });
  expect((await host.call('count')).body.structuredContent).toEqual({ runs: 1 });
  const { ended } = await host.block(3000);
  const calls = Promise.all([host.call('count'), host.call('count', { by: 10 })]);
  const pings: number[] = [];
  while (pings.length < 50) {
    pings.push(await host.ping());
    await pause(10);
  }
  for (const answer of await calls) {
    expect(textOf(answer)).toMatch(/TIMEOUT/);
    expect(answer.took_ms).toBeGreaterThan(950);
    expect(answer.took_ms).toBeLessThan(1500);
  }
  // Generous for two shared cores; the figure itself is measured by the bench.
  expect(pings.sort((a, b) => a - b)[45]).toBeLessThan(250);
  await ended;
  expect((await host.call('count')).body.structuredContent).toEqual({ runs: 2 });
  await pause(100);
  expect(await host.runs()).toBe(2);
});

test('a cancelled call that has not begun never runs', async () => {
  const host = await startHost();
  const { ended } = await host.block(1000);
  const abort = new AbortController();
  const cancelled = host.call('count', {}, abort.signal);
  const kept = host.call('count', { by: 100 });
  setTimeout(() => abort.abort(), 200);
  await expect(cancelled).rejects.toThrow();
  await ended;
  expect((await kept).body.structuredContent).toEqual({ runs: 100 });
  expect(await host.runs()).toBe(100);
});

test('the queue is bounded: beyond host_queue_max a call is refused at once with SVC_HOST_BUSY', async () => {
  const host = await startHost({ host_queue_max: 4 });
  const { ended } = await host.block(2000);
  const answers = Promise.all(Array.from({ length: 10 }, () => host.call('count')));
  await ended;
  const all = await answers;
  const busy = all.filter(each => textOf(each).includes('SVC_HOST_BUSY'));
  expect(busy).toHaveLength(6);
  for (const each of busy) {
    expect(each.took_ms).toBeLessThan(1500);
    expect(textOf(each)).toContain('4 calls wait');
  }
  expect(await host.runs()).toBe(4);
  expect((await host.call('count')).body.structuredContent).toEqual({ runs: 5 });
});

test('a policy hook on a blocked host forbids at request_timeout_ms instead of holding the call', async () => {
  const host = await startHost({ request_timeout_ms: 500 }, 'hook');
  expect((await host.call('count')).status).toBe(200);
  const { ended } = await host.block(2000);
  const answer = await host.call('count');
  expect(answer.took_ms).toBeLessThan(1500);
  expect(textOf(answer)).toMatch(/EVENT_VETOED|TIMEOUT/);
  expect(await ended).toBe(1);
});
