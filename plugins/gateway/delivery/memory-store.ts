/** Owners of calls and waiting notices in memory. */
import { LRUCache } from 'lru-cache';
import type { CallOwner, CallOwners, Notice, Outbox } from './store.ts';

const mostJobs = 10_000;

export function createMemoryOwners(): CallOwners {
  const owners = new LRUCache<string, CallOwner>({ max: mostJobs });
  return {
    set: (jobId, owner) => void owners.set(jobId, owner),
    get: jobId => owners.get(jobId),
  };
}

/** Its bound is that of who puts notices in. */
export function createMemoryOutbox(): Outbox {
  const waiting = new Map<string, Notice[]>();
  return {
    put(jobId, notice) {
      const known = waiting.get(jobId);
      if (known) known.push(notice);
      else waiting.set(jobId, [notice]);
    },
    take(jobId) {
      const notices = waiting.get(jobId) ?? [];
      waiting.delete(jobId);
      return notices;
    },
  };
}
