/**
 * Runs that wait for what their client was asked: the handler stays where it is, in memory, and the state that the client
 * brings back names it. The state is random and says nothing; what it is good for (one method with the same params of one
 * caller, for a while, once) is kept here.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mcpErrors } from '../errors.ts';

type Params = Readonly<Record<string, unknown>>;

/** A run, as far as it can be kept. */
export interface Waiting {
  readonly method: string;
  /** The params that it began with, as `digestOf` makes them. */
  readonly digest: string;
  /** Who sent its latest request; undefined where nobody has to authenticate. */
  readonly owner: string | undefined;
  /** Gives it up. */
  cancel(reason: string): void;
}

export interface RoundsOptions {
  /** Most runs kept; beyond it the one that waits longest is given up. */
  limit: number;
  ttlMs: number;
}

export type Rounds<T extends Waiting> = ReturnType<typeof createRounds<T>>;

const stateBytes = 24;

export function createRounds<T extends Waiting>({ limit, ttlMs }: RoundsOptions) {
  const waiting = new Map<string, { run: T; timer: NodeJS.Timeout }>();

  const remove = (state: string): T | undefined => {
    const entry = waiting.get(state);
    clearTimeout(entry?.timer);
    waiting.delete(state);
    return entry?.run;
  };

  const giveUp = (state: string, reason: string): void => remove(state)?.cancel(reason);

  return {
    get size(): number {
      return waiting.size;
    },
    /** Keeps a run; returns the state to ask for it with. */
    keep(run: T): string {
      const [oldest] = waiting.keys();
      if (oldest !== undefined && waiting.size >= limit) giveUp(oldest, 'too many requests wait for their clients');
      const state = randomBytes(stateBytes).toString('base64url');
      const timer = setTimeout(() => giveUp(state, 'the client did not come back with its answer'), ttlMs).unref();
      waiting.set(state, { run, timer });
      return state;
    },
    /** The run of a state, which is used up by that; throws SVC_MCP_STATE_UNKNOWN. */
    take(state: unknown, method: string, params: Params, owner?: string): T {
      const run = waiting.get(state as string)?.run;
      if (run?.method !== method || run.owner !== owner || run.digest !== digestOf(params))
        throw mcpErrors.STATE_UNKNOWN();
      remove(state as string);
      return run;
    },
    end(reason: string): void {
      for (const state of [...waiting.keys()]) giveUp(state, reason);
    },
  };
}

/** Of what a request asks for: who asks and what was answered may differ between its rounds, the order of members too. */
export function digestOf({ _meta, inputResponses, requestState, ...params }: Params): string {
  return createHash('sha256').update(JSON.stringify(params, inOrder)).digest('base64');
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
