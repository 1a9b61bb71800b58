import { expect, onTestFinished, test } from 'vitest';
import type { Ensured } from '../../../../plugins/daemon/guardian/ensure.ts';
import { startGuard } from '../../../../plugins/daemon/guardian/guard-loop.ts';
import type { ProbeResult } from '../../../../plugins/daemon/guardian/probe.ts';
import { waitFor } from '../../../helper.ts';

/** A guard over a script of probe results; the last one repeats. */
function guard(results: ProbeResult[], failures: number) {
  const seen = { ensured: 0, failed: [] as number[], outcomes: [] as Ensured[] };
  let turn = 0;
  const stop = startGuard({
    probe: async () => results[Math.min(turn++, results.length - 1)] as ProbeResult,
    isOutdated: ({ version }) => version === '1.0.0',
    ensure: async () => {
      seen.ensured += 1;
      return { state: 'launched', pid: seen.ensured };
    },
    intervalMs: 5,
    failures,
    onOutcome: outcome => seen.outcomes.push(outcome),
    onFailure: count => seen.failed.push(count),
  });
  onTestFinished(() => stop());
  return { seen, stop };
}

const healthy: ProbeResult = { state: 'healthy', version: '2.0.0' };
const silent: ProbeResult = { state: 'silent', detail: 'x' };
const refused: ProbeResult = { state: 'refused' };

test('ensures once at the start, then only after the given failures in a row', async () => {
  const { seen } = guard([healthy, silent, silent, healthy, silent, refused, silent, healthy], 3);
  await waitFor(() => seen.failed.length >= 8, 'eight probes');
  expect(seen.failed.slice(0, 8)).toEqual([0, 1, 2, 0, 1, 2, 3, 0]);
  expect(seen.ensured).toBe(2);
});

test('an outdated gateway is ensured anew each time that it answers', async () => {
  const outdated: ProbeResult = { state: 'healthy', version: '1.0.0' };
  const { seen } = guard([healthy, outdated, outdated, healthy], 3);
  await waitFor(() => seen.failed.length >= 5, 'five probes');
  expect(seen.failed.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  expect(seen.ensured).toBe(3);
});

test('a stopped guard probes no more, also when it is stopped while it ensures', async () => {
  const { seen, stop } = guard([healthy], 1);
  await waitFor(() => seen.failed.length > 1, 'two probes');
  await stop();
  const { length } = seen.failed;
  await new Promise(resolve => setTimeout(resolve, 30));
  expect(seen.failed).toHaveLength(length);

  let aborted = false;
  const hanging = startGuard({
    probe: async () => healthy,
    isOutdated: () => false,
    ensure: signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      }),
    intervalMs: 5,
    failures: 1,
    onOutcome: () => undefined,
    onFailure: () => undefined,
  });
  await hanging();
  expect(aborted).toBe(true);
});
