/** Which instance of a host type serves a request: that of its session, otherwise the best one. */
import { LRUCache } from 'lru-cache';
import type { Backend } from '../backends/api.ts';

/** Sessions remembered at once; whose instance was forgotten is served by the best one, which then says so. */
const maxSessions = 10_000;

export function createChoice() {
  const owners = new LRUCache<string, string>({ max: maxSessions });
  let turn = 0;
  return {
    /** The instance that a session was opened on: its id; undefined for an unknown session. */
    ownerOf: (sessionId: string): string | undefined => owners.get(sessionId),
    remember: (sessionId: string, instance_id: string): void => void owners.set(sessionId, instance_id),
    forget: (sessionId: string): void => void owners.delete(sessionId),
    /** Ready before not ready, free before busy, then the least in flight, then in turns; undefined for none. */
    best(among: readonly Backend[]): Backend | undefined {
      const { length } = among;
      if (length < 2) return among[0];
      turn = (turn + 1) % length;
      let best = among[turn] as Backend;
      for (let step = 1; step < length; step += 1) {
        const other = among[(turn + step) % length] as Backend;
        const difference = burden(other) - burden(best);
        if (difference < 0 || (difference === 0 && other.in_flight < best.in_flight)) best = other;
      }
      return best;
    },
  };
}

/** How little an instance can be asked now. */
const burden = ({ instance, ready, circuit }: Backend): number =>
  (circuit === 'open' ? 8 : 0) +
  (ready === false ? 4 : 0) +
  (instance.status === 'busy' ? 2 : 0) +
  (ready === null ? 1 : 0);
