/** Policy hooks that run before an operation and may veto it (specification: Vetoes). */

import { type Veto, vetoOf } from '../schemas/hook-answer.ts';
import { type VetoableEvent, vetoableEvents } from '../schemas/vetoable-events.ts';
import { kernelErrors, type SvcError } from './errors.ts';
import type { EventEnvelope } from './events.ts';
import type { Disposer } from './scope.ts';

/** Nothing or false allows; a reason or `{reason, code}` forbids; anything else truthy, or a throw, forbids too. */
export type BeforeHook = (event: EventEnvelope) => unknown;

export type Hooks = ReturnType<typeof createHooks>;

export function createHooks() {
  const hooks = new Map<string, Set<{ ask: BeforeHook }>>();
  return {
    /** Registers a hook; throws for a name that is not vetoable. */
    before(name: string, ask: BeforeHook): Disposer {
      const known: readonly string[] = vetoableEvents;
      if (!known.includes(name)) throw new TypeError(`"${name}" cannot be vetoed: use one of ${known.join(', ')}`);
      const added = { ask };
      const all = hooks.get(name) ?? new Set();
      hooks.set(name, all.add(added));
      return () => void all.delete(added);
    },
    /** Whether `name` has a hook: lets a hot path skip building the event. */
    guards: (name: VetoableEvent): boolean => (hooks.get(name)?.size ?? 0) > 0,
    /** Runs the hooks of the event in order; the first veto, or nothing. */
    async check(event: EventEnvelope): Promise<Veto | undefined> {
      for (const hook of [...(hooks.get(event.name) ?? [])]) {
        const veto = await vetoOf(hook.ask, event);
        if (veto) return veto;
      }
      return undefined;
    },
  };
}

/** The error that a vetoed operation answers with. */
export function vetoError(event: string, veto: Veto): SvcError {
  return kernelErrors.EVENT_VETOED({ event, veto_code: veto.code, veto_reason: veto.reason });
}
