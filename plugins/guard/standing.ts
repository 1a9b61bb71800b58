/**
 * What outlasts the request that opened it, streams and channels: its caller is looked into again when the proof runs out
 * and when tokens came or went, and it is ended when he may no longer have it.
 */
import type { Awaitable, Disposer } from '../../kernel/index.ts';
import { timerAt } from '../../schemas/timer-at.ts';
import type { Scope } from '../../schemas/tokens.ts';
import { bearerOf } from './tokens.ts';
import type { Proof } from './verdicts.ts';

interface One {
  readonly authorization: string;
  readonly id: string;
  readonly scope: Scope;
  readonly end: () => void;
  /** Stops the timer for its proof. */
  forget?: () => void;
}

export type Standing = ReturnType<typeof createStanding>;

export function createStanding(find: (token: string) => Awaitable<Proof | string>, now: () => number = Date.now) {
  const open = new Set<One>();

  const wait = (one: One, until: number): void => {
    one.forget?.();
    if (until === Number.POSITIVE_INFINITY) return;
    one.forget = timerAt(until, now, () => void look(one));
  };

  const leave = (one: One): void => {
    one.forget?.();
    open.delete(one);
  };

  const look = async (one: One): Promise<void> => {
    const found = await find(bearerOf(one.authorization) ?? '');
    if (!open.has(one)) return;
    if (typeof found !== 'string' && found.caller.id === one.id && found.caller.scopes.has(one.scope)) {
      wait(one, found.until);
      return;
    }
    leave(one);
    one.end();
  };

  return {
    /** Until what is returned is called, which is when it has ended by itself. */
    add(authorization: string, { caller, until }: Proof, scope: Scope, end: () => void): Disposer {
      const one: One = { authorization, id: caller.id, scope, end };
      open.add(one);
      wait(one, until);
      return () => leave(one);
    },
    /** Tokens came or went. */
    lookAgain(): void {
      for (const one of open) void look(one);
    },
    dispose(): void {
      for (const one of open) leave(one);
    },
  };
}
