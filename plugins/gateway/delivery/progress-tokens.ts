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

/** Tokens of jobs whose end nobody tells (notifications may be off) are forgotten, oldest first. */
const mostTokens = 10_000;

export type ProgressTokens = ReturnType<typeof createProgressTokens>;

/** `prefix` makes the tokens of this process its own. */
export function createProgressTokens(prefix: string) {
  const targets = new LRUCache<string, ProgressTarget>({ max: mostTokens });
  let last = 0;
  return {
    /** A token of ours that stands for the client's. */
    issue(target: ProgressTarget): string {
      last += 1;
      const token = `${prefix}-${last}`;
      targets.set(token, target);
      return token;
    },
    get: (token: unknown): ProgressTarget | undefined => (typeof token === 'string' ? targets.get(token) : undefined),
    release: (token: string): void => void targets.delete(token),
    get size(): number {
      return targets.size;
    },
  };
}
