/** The newest frames in memory, for the admin page and the debug reads, which also hear of new ones. */
import type { Disposer } from '../../kernel/index.ts';
import type { FrameEvent, Sink } from './sink.ts';

/** A frame and its number, which counts from the first. */
export interface Kept {
  readonly number: number;
  readonly event: FrameEvent;
}

export interface LiveSink extends Sink {
  readonly capacity: number;
  /** Oldest first. */
  kept(): readonly Kept[];
  follow(hear: (frame: Kept) => void): Disposer;
}

export function createLiveSink(capacity: number): LiveSink {
  let ring: Kept[] = [];
  let last = 0;
  const followers = new Set<(frame: Kept) => void>();
  return {
    kind: 'admin_live',
    place: `the newest ${capacity} frames in memory`,
    batch: 128,
    capacity,
    async write(batch) {
      for (const { event } of batch) {
        last += 1;
        const kept = { number: last, event };
        ring.push(kept);
        for (const hear of followers) hear(kept);
      }
      // Not at each frame: to take the first of a long list moves all of it.
      if (ring.length >= 2 * capacity) ring = ring.slice(-capacity);
    },
    async close() {
      followers.clear();
      ring = [];
    },
    kept: () => ring.slice(-capacity),
    follow(hear) {
      followers.add(hear);
      return () => void followers.delete(hear);
    },
  };
}
