/**
 * Progress tokens on their way through the gateway. Clients choose their own and may choose alike; every instance sees
 * the gateway as one client, so each token is replaced by one that is unique.
 */
import { LRUCache } from 'lru-cache';

/** Who asked for progress, and under which token. */
export interface ProgressTarget {
  token: string | number;
  sessionId: string | undefined;
}

export interface ProgressTokens {
  /** A token of ours that stands for the client's. */
  issue(target: ProgressTarget): string;
  get(token: unknown): ProgressTarget | undefined;
  release(token: string): void;
  readonly size: number;
}

/** Tokens of jobs whose end nobody tells (notifications may be off) are forgotten, oldest first. */
const mostTokens = 10_000;

/** `prefix` makes the tokens of this process its own. */
export function createProgressTokens(prefix: string): ProgressTokens {
  const targets = new LRUCache<string, ProgressTarget>({ max: mostTokens });
  let last = 0;
  return {
    issue(target) {
      last += 1;
      const token = `${prefix}-${last}`;
      targets.set(token, target);
      return token;
    },
    get: token => (typeof token === 'string' ? targets.get(token) : undefined),
    release: token => void targets.delete(token),
    get size() {
      return targets.size;
    },
  };
}
