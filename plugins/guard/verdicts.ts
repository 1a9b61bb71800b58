/**
 * Who proved to be whom by which header: found again by its keyed digest, so that how long a look takes says nothing of a
 * token, and forgotten as soon as it may no longer hold.
 */
import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from './api.ts';
import type { Account } from './limits.ts';

/** A caller, and until when it is one. */
export interface Proof {
  readonly caller: Caller;
  /** In milliseconds; Infinity until it is taken back. */
  readonly until: number;
}

export interface Verdict extends Proof {
  readonly account: Account;
}

/** Only those that proved something are remembered: nobody can push them out with what is made up. */
const most = 10_000;

export type Verdicts = ReturnType<typeof createVerdicts>;

export function createVerdicts(now: () => number = Date.now) {
  const key = randomBytes(32).toString('base64');
  const known = new LRUCache<string, Verdict>({ max: most });
  let edition = 0;
  return {
    /** Of which header one is; it leaves this process no more than the key does. */
    keyOf: (authorization: string): string => hash('sha256', key + authorization, 'base64'),
    find(digest: string): Verdict | undefined {
      const verdict = known.get(digest);
      if (verdict === undefined || verdict.until > now()) return verdict;
      known.delete(digest);
      return undefined;
    },
    /** Whoever looks into a token says when it began: what was taken back meanwhile is not remembered. */
    get edition(): number {
      return edition;
    },
    remember(digest: string, verdict: Verdict, since: number): void {
      if (since === edition) known.set(digest, verdict);
    },
    /** Tokens came or went: each is looked into again. */
    forget(): void {
      edition += 1;
      known.clear();
    },
  };
}
