/** The deliveries that wait for one webhook: in order, bounded, tried again as its file says. Offering never waits. */
import { setTimeout as pause } from 'node:timers/promises';
import { type EventEnvelope, messageOf } from '../../kernel/index.ts';
import type { Poster, Posting } from './post.ts';
import type { Webhook } from './webhook.ts';

export interface OutboxDeps {
  readonly capacity: number;
  readonly poster: Pick<Poster, 'post'>;
  /** The first event that found no room since there was some. */
  onFull(): void;
  /** There is room again, after `dropped` events were lost. */
  onRoom(dropped: number): void;
  /** `attempts` is how many were made. */
  onFailed(event: { id: string; name: string }, attempts: number, error: string): void;
}

export type Outbox = ReturnType<typeof createOutbox>;

interface Waiting {
  readonly id: string;
  readonly name: string;
  readonly body: string;
}

/** Calls go first: between two deliveries there is a rest, the longer the busier the loop; this long at most. */
const longestRestMs = 25;

/** Nor does an end wait for long between attempts: others wait as well, and the time for it is short. */
const longestWaitAtEndMs = 50;

/** Of the time that the loop has left, so much that deliveries take no more of it than there is: in ms. */
function restAfter(tookMs: number, utilization: number): number {
  const rest = (tookMs * utilization) / (1 - utilization);
  return Math.min(rest, longestRestMs);
}

export function createOutbox(webhook: Webhook, { capacity, poster, onFull, onRoom, onFailed }: OutboxDeps) {
  const waiting: Waiting[] = [];
  const stop = new AbortController();
  const hurry = new AbortController();
  let dropped = 0;
  let droppedInAll = 0;
  let working: Promise<void> | undefined;
  let current: Posting | undefined;
  let delivered = 0;
  let failed = 0;
  let lastError: string | undefined;

  const lost = (event: { id: string; name: string }, attempts: number, error: unknown): void => {
    failed += 1;
    lastError = messageOf(error);
    onFailed(event, attempts, lastError);
  };

  const deliver = async ({ id, name, body }: Waiting): Promise<void> => {
    for (let made = 1; ; made += 1) {
      try {
        current = poster.post(webhook.parcel({ id, name }, body), webhook.timeoutMs);
        await current.done;
        delivered += 1;
        return;
      } catch (error) {
        if (made < webhook.attempts) await backoff(made);
        if (stop.signal.aborted || made >= webhook.attempts) return lost({ id, name }, made, error);
      }
    }
  };

  const backoff = async (made: number): Promise<void> => {
    const wait = webhook.backoffMs[Math.min(made, webhook.backoffMs.length) - 1] ?? 0;
    if (!hurry.signal.aborted) await pause(wait, undefined, { signal: hurry.signal }).catch(() => undefined);
    else await pause(Math.min(wait, longestWaitAtEndMs), undefined, { signal: stop.signal }).catch(() => undefined);
  };

  const work = async (): Promise<void> => {
    // Not in the turn of the call that told of the event.
    await pause(0);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // One that was full is told of once, not at each place that comes free.
      if (dropped > 0 && waiting.length * 2 <= capacity) {
        onRoom(dropped);
        dropped = 0;
      }
      const began = performance.now();
      const before = performance.eventLoopUtilization();
      await deliver(next);
      const { utilization } = performance.eventLoopUtilization(before);
      const rest = restAfter(performance.now() - began, utilization);
      if (!hurry.signal.aborted && rest >= 1) await pause(rest);
    }
    working = undefined;
  };

  return {
    state: () => ({ waiting: waiting.length, delivered, failed, dropped: droppedInAll, last_error: lastError ?? null }),
    offer(event: EventEnvelope): void {
      if (stop.signal.aborted) return;
      if (waiting.length >= capacity) {
        if (dropped === 0) onFull();
        dropped += 1;
        droppedInAll += 1;
        return;
      }
      const { id, name } = event;
      try {
        // As text: an event may hold the arguments of its call, and a queue must not keep those alive.
        waiting.push({ id, name, body: webhook.render(event) });
      } catch (error) {
        lost({ id, name }, 0, new Error(`its template makes no JSON of this event: ${messageOf(error)}`));
        return;
      }
      working ??= work();
    },
    /** Resolves when nothing waits any more, or after `ms`; what is left then is given up and told. */
    async flush(ms: number): Promise<void> {
      hurry.abort();
      const timeUp = pause(ms, undefined, { signal: stop.signal }).catch(() => undefined);
      await Promise.race([working, timeUp]);
      const stopped = new Error('the server stopped');
      for (const event of waiting.splice(0)) lost(event, 0, stopped);
      stop.abort();
      current?.stop(stopped);
      await working;
    },
  };
}
