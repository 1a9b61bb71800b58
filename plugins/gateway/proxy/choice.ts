/**
 * Which instance of a host type serves a request: that of its session, otherwise the best one. What comes without a session
 * (2026-07-28) goes to one and the same instance as long as that can serve: what it changes there it will look for there.
 */
import { LRUCache } from 'lru-cache';
import { leaseHolder } from '../../../schemas/instance.ts';
import type { Instance } from '../../instances/api.ts';
import type { Backend } from '../backends/api.ts';

/** Sessions remembered at once; whose instance was forgotten is served by the best one, which then says so. */
const maxSessions = 10_000;

export function createChoice() {
  const owners = new LRUCache<string, string>({ max: maxSessions });
  /** By host type, where requests without a session go. */
  const steadily = new Map<string, string>();
  let turn = 0;

  /** Ready before not ready, free before busy, then the least in flight, then in turns; undefined for none. */
  const bestOf = (among: readonly Backend[]): Backend | undefined => {
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
  };

  return {
    /** The instance that a session was opened on: its id; undefined for an unknown session. */
    ownerOf: (sessionId: string): string | undefined => owners.get(sessionId),
    remember: (sessionId: string, instance_id: string): void => void owners.set(sessionId, instance_id),
    forget: (sessionId: string): void => void owners.delete(sessionId),
    best: bestOf,
    /** For a request that belongs to no session. */
    steady(dcc_type: string, among: readonly Backend[]): Backend | undefined {
      const known = steadily.get(dcc_type);
      const same = known === undefined ? undefined : among.find(each => each.instance_id === known);
      if (same && burden(same) < notReady) return same;
      const best = bestOf(among);
      if (best) steadily.set(dcc_type, best.instance_id);
      return best;
    },
  };
}

const notReady = 4;

/** Whoever leased it has it alone; nobody says in a request that passes unread that it is theirs. */
export const isLeased = ({ row }: Pick<Instance, 'row'>): boolean => leaseHolder(row, Date.now()) !== undefined;

/** How little an instance can be asked now. */
const burden = ({ instance, ready, circuit }: Backend): number =>
  (isLeased(instance) ? 16 : 0) +
  (circuit === 'open' ? 8 : 0) +
  (ready === false ? notReady : 0) +
  (instance.status === 'busy' ? 2 : 0) +
  (ready === null ? 1 : 0);
