/** Watches the gateway: probes at an interval and, after some failures in a row, has it ensured again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Disposer, messageOf } from '../../../kernel/index.ts';
import type { Ensured } from './ensure.ts';
import type { ProbeResult } from './probe.ts';

export interface GuardParts {
  probe(signal: AbortSignal): Promise<ProbeResult>;
  /** Whether a gateway that answers is one to replace. */
  isOutdated(found: Extract<ProbeResult, { state: 'healthy' }>): boolean;
  /** Rejects only when `signal` aborts. */
  ensure(signal: AbortSignal): Promise<Ensured>;
  intervalMs: number;
  failures: number;
  /** What became of the gateway, each time it was asked for or ensured. */
  onOutcome(outcome: Ensured): void;
  onFailure(consecutive: number): void;
}

/** Nobody listens: that is certain, so the second look need not wait a whole interval. */
const refusedShare = 5;

/** Ensures once, then watches; the disposer ends it and waits for what is under way. */
export function startGuard({
  probe,
  isOutdated,
  ensure,
  intervalMs,
  failures,
  onOutcome,
  onFailure,
}: GuardParts): Disposer {
  const stopping = new AbortController();
  const { signal } = stopping;

  const watch = async (): Promise<void> => {
    onOutcome(await ensure(signal));
    let failed = 0;
    let waitMs = intervalMs;
    for (;;) {
      await sleep(waitMs, undefined, { signal, ref: false });
      const found = await probe(signal);
      signal.throwIfAborted();
      waitMs = intervalMs;
      if (found.state === 'healthy') {
        failed = 0;
        onFailure(0);
        onOutcome(isOutdated(found) ? await ensure(signal) : { state: 'running' });
        continue;
      }
      failed += 1;
      onFailure(failed);
      if (failed >= failures) {
        onOutcome(await ensure(signal));
        failed = 0;
      } else if (found.state === 'refused') {
        waitMs = intervalMs / refusedShare;
      }
    }
  };
  const done = watch().catch((error: unknown) => {
    if (!signal.aborted) onOutcome({ state: 'unavailable', reason: messageOf(error) });
  });
  return async () => {
    stopping.abort();
    await done;
  };
}
