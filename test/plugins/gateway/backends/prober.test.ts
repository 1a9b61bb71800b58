/** When instances are probed: each in its time, and those that are due together in one turn. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Finding } from '../../../../plugins/gateway/backends/driver.ts';
import { createProber } from '../../../../plugins/gateway/backends/prober.ts';

afterEach(() => void vi.useRealTimers());

const reachable: Finding = { kind: 'reachable', ready: null };
const silence: Finding = { kind: 'unreachable', message: 'nobody', certain: false };

/** Probes `count` instances for `ms`; gives the times at which each was probed. */
async function probing(count: number, ms: number, answers: () => Finding = () => reachable): Promise<number[][]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const times = Array.from({ length: count }, (): number[] => []);
  const probers = times.map(own =>
    createProber(
      async () => {
        own.push(performance.now());
        return answers();
      },
      () => count,
      () => undefined,
    ),
  );
  await vi.advanceTimersByTimeAsync(ms);
  for (const each of probers) each.stop();
  return times;
}

test('each is probed at once and again after some five seconds; together they wake the process seldom', async () => {
  const times = await probing(100, 8000);
  for (const [first = Number.NaN, second = Number.NaN, ...more] of times) {
    expect(second - first).toBeGreaterThan(4000);
    expect(second - first).toBeLessThan(6000);
    expect(more).toEqual([]);
  }
  const moments = new Set(times.map(([, second = 0]) => Math.round(second / 10)));
  expect(moments.size).toBeLessThanOrEqual(6);
  expect(moments.size).toBeGreaterThan(2);
});

test('a crowd is asked less often, each of them', async () => {
  const times = await probing(1000, 12_000);
  for (const own of times) expect(own).toHaveLength(2);
});

test('after a silence it is asked again soon, then less and less often, and never less than the others', async () => {
  const [own = []] = await probing(1, 20_000, () => silence);
  const pauses = own.slice(1).map((at, index) => at - (own[index] ?? 0));
  expect(pauses.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
  for (const each of pauses.slice(4)) expect(each).toBeLessThan(6000);
});
