/** What waits for one sink: bounded, written in batches in the background; offering never waits. */
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../kernel/light.ts';
import type { Queue } from './queue.ts';
import type { Captured, Sink } from './sink.ts';

export interface OutletDeps {
  readonly capacity: number;
  /** For people, once for each trouble: what is lost and why, and that it is over. */
  tell(sentence: string): void;
  /** A batch was written, or lost. */
  onTurn?(): void;
}

export type Outlet = ReturnType<typeof createOutlet<never>>;

/** Of bodies that wait, whatever their number. */
const mostBytes = 64 * 1024 * 1024;

/** `queue` is where frames wait for it. */
export function createOutlet<Batch>(sink: Sink<Batch>, queue: Queue<Batch>, { capacity, tell, onTurn }: OutletDeps) {
  let working: Promise<void> | undefined;
  let stopped = false;
  let written = 0;
  let lost = 0;
  let lastError: string | undefined;
  let trouble: 'full' | 'failing' | undefined;
  let lostBefore = 0;
  const lose = (kind: 'full' | 'failing', count: number, why: string): void => {
    if (trouble === undefined) {
      trouble = kind;
      lostBefore = lost;
      tell(`${why}: captured traffic is lost until that is over (${sink.kind}, ${sink.place})`);
    }
    lost += count;
  };

  const recovered = (): void => {
    if (trouble === undefined) return;
    trouble = undefined;
    lastError = undefined;
    tell(`captured traffic is kept again, ${lost - lostBefore} frames were lost (${sink.kind}, ${sink.place})`);
  };

  const work = async (): Promise<void> => {
    // Not in the turn that captured it.
    await pause(0);
    while (queue.frames > 0) {
      const { batch, frames } = queue.take();
      try {
        await sink.write(batch);
        written += frames;
        // One that was full is told of once, not at each place that comes free.
        if (trouble === 'failing' || queue.frames === 0) recovered();
      } catch (error) {
        lastError = messageOf(error);
        lose('failing', frames, lastError);
      }
      onTurn?.();
      // The loop turns between two batches.
      await new Promise(resolve => setImmediate(resolve));
    }
    working = undefined;
  };

  return {
    sink,
    state: () => ({ ...{ kind: sink.kind, waiting: queue.frames, written, lost }, last_error: lastError ?? null }),
    offer(frame: Captured): void {
      if (stopped) return;
      if (queue.frames >= capacity || queue.bytes + frame.size > mostBytes) {
        lose('full', 1, `${queue.frames} frames wait to be written`);
        return;
      }
      queue.add(frame);
      working ??= work();
    },
    /** Resolves when everything is written, or after `ms`; what is left then is given up and told. */
    async flush(ms: number): Promise<void> {
      stopped = true;
      const late = new AbortController();
      const time = pause(ms, 'late' as const, { signal: late.signal }).catch(() => undefined);
      const ended = await Promise.race([(async () => working)(), time]);
      late.abort();
      if (ended === 'late' && queue.frames > 0) {
        tell(`${queue.frames} captured frames were not written when the server stopped (${sink.kind}, ${sink.place})`);
        lost += queue.frames;
        queue.clear();
      }
      // A disk that hangs is not waited for.
      await Promise.race([sink.close().catch(() => undefined), pause(ms, undefined, { ref: false })]);
    },
  };
}
