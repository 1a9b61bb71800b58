/** Work that waits to be done in the background: bounded, in order, some at a time. What finds no room is dropped, and told once. */
import { setTimeout as pause } from 'node:timers/promises';
import { createSlices, messageOf } from '../../kernel/index.ts';

export interface QueueDeps<T> {
  readonly capacity: number;
  /** Bytes that it holds while it waits. */
  weight(item: T): number;
  handle(item: T): void;
  /** For people, once for each trouble. */
  tell(sentence: string): void;
}

export type Queue<T> = ReturnType<typeof createQueue<T>>;

/** What comes in the meantime is handled together. */
const restMs = 5;
/** Whatever their number. */
const mostBytes = 64 * 1024 * 1024;

export function createQueue<T>({ capacity, weight, handle, tell }: QueueDeps<T>) {
  let waiting: { item: T; bytes: number }[] = [];
  let count = 0;
  let bytes = 0;
  let dropping = 0;
  let dropped = 0;
  let working: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    // Not in the turn of a call.
    await pause(restMs);
    const turn = createSlices();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      for (const { item, bytes: size } of batch) {
        count -= 1;
        bytes -= size;
        try {
          handle(item);
        } catch (error) {
          tell(`what was captured could not be read: ${messageOf(error)}`);
        }
        const wait = turn();
        if (wait) await wait;
      }
    }
    if (dropping > 0) tell(`traffic is captured again: ${dropping} frames were dropped`);
    dropping = 0;
    working = undefined;
  };

  return {
    dropped: (): number => dropped,
    waiting: (): number => count,
    /** False when there was no room for it. */
    offer(item: T): boolean {
      const size = weight(item);
      if (count >= capacity || bytes + size > mostBytes) {
        if (dropping === 0) tell(`${count} frames wait to be captured: newer ones are dropped`);
        dropping += 1;
        dropped += 1;
        return false;
      }
      waiting.push({ item, bytes: size });
      count += 1;
      bytes += size;
      working ??= work();
      return true;
    },
    /** Resolves when nothing waits any more, or after `ms`. */
    flush: async (ms: number): Promise<void> => Promise.race([working, pause(ms, undefined, { ref: false })]),
  };
}
