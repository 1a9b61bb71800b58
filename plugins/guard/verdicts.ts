/**
 * Who proved to be whom by which header: found again by its keyed digest, so that how long a look takes says nothing of a
 * token, and forgotten as soon as it may no longer hold. On a connection the header of the last request is compared
 * first, in constant time: most send the same again, and a digest costs several times as much.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
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

/** What the last request of a connection proved, on the connection itself. */
const proven = Symbol('proven');
interface Proven {
  readonly header: Buffer;
  readonly verdict: Verdict;
  readonly edition: number;
}
type Connection = Pick<Socket, 'remoteAddress'> & { [proven]?: Proven };

/** Only those that proved something are remembered: nobody can push them out with what is made up. */
const most = 10_000;

export type Verdicts = ReturnType<typeof createVerdicts>;

export function createVerdicts(now: () => number = () => Date.now()) {
  const key = randomBytes(32).toString('base64');
  const known = new LRUCache<string, Verdict>({ max: most });
  let edition = 0;
  const holds = ({ until }: Verdict): boolean => until === Number.POSITIVE_INFINITY || until > now();
  return {
    /** What the last request of the connection proved by the same header. */
    again(connection: Connection, authorization: string): Verdict | undefined {
      const last = connection[proven];
      if (last?.edition !== edition || last.header.length !== authorization.length) return undefined;
      // Header values are of one byte each.
      const same = timingSafeEqual(last.header, Buffer.from(authorization, 'latin1'));
      return same && holds(last.verdict) ? last.verdict : undefined;
    },
    /** For the next request of the connection. */
    keep(connection: Connection, authorization: string, verdict: Verdict): void {
      connection[proven] = { header: Buffer.from(authorization, 'latin1'), verdict, edition };
    },
    /** Of which header one is; it leaves this process no more than the key does. */
    keyOf: (authorization: string): string => hash('sha256', key + authorization, 'base64'),
    find(digest: string): Verdict | undefined {
      const verdict = known.get(digest);
      if (verdict === undefined || holds(verdict)) return verdict;
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
