/**
 * Which call goes to the host next. Those for its main thread and those for its threads wait apart, so that neither holds
 * the other up; in each lane the callers take turns, so that a burst of one delays nobody else. Pure.
 */
import type { Affinity } from '../../schemas/host-link.ts';

/** Calls at the host at once: as many as it has threads for, and what keeps its main thread busy between two lines. */
const sizes: Readonly<Record<Affinity, number>> = { main: 28, any: 4 };

export interface Queued {
  readonly affinity: Affinity;
  /** Whoever waits for it. */
  readonly caller: unknown;
}

export function createLanes<T extends Queued>() {
  const lanes = { main: { queues: new Map<unknown, T[]>(), out: 0 }, any: { queues: new Map<unknown, T[]>(), out: 0 } };
  let waiting = 0;

  return {
    get waiting(): number {
      return waiting;
    },
    add(entry: T): void {
      const { queues } = lanes[entry.affinity];
      const queue = queues.get(entry.caller);
      if (queue) queue.push(entry);
      else queues.set(entry.caller, [entry]);
      waiting += 1;
    },
    /** The next that may go, and it counts as gone. */
    next(affinity: Affinity): T | undefined {
      const lane = lanes[affinity];
      const [first] = lane.out < sizes[affinity] ? lane.queues : [];
      if (!first) return undefined;
      const [caller, queue] = first;
      const entry = queue.shift();
      lane.queues.delete(caller);
      if (queue.length > 0) lane.queues.set(caller, queue);
      lane.out += 1;
      waiting -= 1;
      return entry;
    },
    /** One that was gone has come back. */
    back(affinity: Affinity): void {
      lanes[affinity].out -= 1;
    },
    /** Takes back one that waits; false when it has gone. */
    remove(entry: T): boolean {
      const { queues } = lanes[entry.affinity];
      const queue = queues.get(entry.caller) ?? [];
      const at = queue.indexOf(entry);
      if (at < 0) return false;
      queue.splice(at, 1);
      if (queue.length === 0) queues.delete(entry.caller);
      waiting -= 1;
      return true;
    },
    /** Takes back all that wait. */
    clear(): T[] {
      const all = Object.values(lanes).flatMap(({ queues }) => [...queues.values()].flat());
      for (const { queues } of Object.values(lanes)) queues.clear();
      waiting = 0;
      return all;
    },
  };
}
