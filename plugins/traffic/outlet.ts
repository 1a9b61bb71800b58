/** What waits for one sink: bounded, written in batches in the background; offering never waits. */
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../kernel/light.ts';
import type { Captured, Sink } from './sink.ts';

export interface OutletDeps {
  readonly capacity: number;
  /** For people, once for each trouble: what is lost and why, and that it is over. */
  tell(sentence: string): void;
  /** A batch was written, or lost. */
  onTurn?(): void;
}

export type Outlet = ReturnType<typeof createOutlet>;

const batchBytes = 512 * 1024;
/** Of bodies that wait, whatever their number. */
const mostBytes = 64 * 1024 * 1024;

export function createOutlet(sink: Sink, { capacity, tell, onTurn }: OutletDeps) {
  const { batch: batchFrames = Number.POSITIVE_INFINITY } = sink;
  const waiting: Captured[] = [];
  let working: Promise<void> | undefined;
  let stopped = false;
  let written = 0;
  let lost = 0;
  let lastError: string | undefined;
  let trouble: 'full' | 'failing' | undefined;
  let lostBefore = 0;
  let bytes = 0;

  const take = (): Captured[] => {
    let size = 0;
    const end = waiting.findIndex((each, index) => {
      size += each.size;
      return index >= batchFrames || (index > 0 && size > batchBytes);
    });
    const batch = waiting.splice(0, end < 0 ? waiting.length : end);
    for (const each of batch) bytes -= each.size;
    return batch;
  };

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
    while (waiting.length > 0) {
      const batch = take();
      try {
        await sink.write(batch);
        written += batch.length;
        // One that was full is told of once, not at each place that comes free.
        if (trouble === 'failing' || waiting.length === 0) recovered();
      } catch (error) {
        lastError = messageOf(error);
        lose('failing', batch.length, lastError);
      }
      onTurn?.();
      // The loop turns between two batches.
      await new Promise(resolve => setImmediate(resolve));
    }
    working = undefined;
  };

  return {
    sink,
    state: () => ({ ...{ kind: sink.kind, waiting: waiting.length, written, lost }, last_error: lastError ?? null }),
    offer(frame: Captured): void {
      if (stopped) return;
      const { size } = frame;
      if (waiting.length >= capacity || bytes + size > mostBytes) {
        lose('full', 1, `${waiting.length} frames wait to be written`);
        return;
      }
      waiting.push(frame);
      bytes += size;
      working ??= work();
    },
    /** Resolves when everything is written, or after `ms`; what is left then is given up and told. */
    async flush(ms: number): Promise<void> {
      stopped = true;
      const late = new AbortController();
      const time = pause(ms, 'late' as const, { signal: late.signal }).catch(() => undefined);
      const ended = await Promise.race([(async () => working)(), time]);
      late.abort();
      if (ended === 'late' && waiting.length > 0) {
        tell(
          `${waiting.length} captured frames were not written when the server stopped (${sink.kind}, ${sink.place})`,
        );
        lost += waiting.splice(0).length;
      }
      // A disk that hangs is not waited for.
      await Promise.race([sink.close().catch(() => undefined), pause(ms, undefined, { ref: false })]);
    },
  };
}
