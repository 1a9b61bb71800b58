/** Policy hooks that run before an operation and may veto it (specification: Vetoes). */
import { kernelErrors, messageOf, type SvcError } from './errors.ts';
import type { EventEnvelope } from './events.ts';

export interface Veto {
  reason: string;
  code: string;
}

/** Nothing or false allows; a reason, `{reason, code}` or `veto(reason, code)` forbids; anything else truthy, or a throw, forbids too. */
export type BeforeHook = (event: EventEnvelope) => unknown;

/** The only names that can be vetoed; the last two are reserved. */
export const vetoableEvents = ['skill.loading', 'tool.dispatched', 'resource.subscribed', 'client.initialize'] as const;
export type VetoableEvent = (typeof vetoableEvents)[number];

export interface Hooks {
  /** Registers a hook; throws for a name that is not vetoable. Returns its id. */
  before(name: string, hook: BeforeHook): number;
  unsubscribeBefore(name: string, id: number): boolean;
  vetoableEvents(): readonly string[];
  /** The bus veto helper. */
  veto(reason: string, code?: string): Veto;
  /** Whether `name` has a hook: lets a hot path skip building the event. */
  guards(name: VetoableEvent): boolean;
  /** Runs the hooks of the event in order; the first veto, or nothing. */
  check(event: EventEnvelope): Promise<Veto | undefined>;
}

const defaultCode = 'vetoed';

export function createHooks(): Hooks {
  const hooks = new Map<string, Map<number, BeforeHook>>();
  let lastId = 0;
  return {
    before(name, hook) {
      if (!(vetoableEvents as readonly string[]).includes(name)) {
        throw new TypeError(`"${name}" cannot be vetoed: use one of ${vetoableEvents.join(', ')}`);
      }
      lastId += 1;
      hooks.set(name, (hooks.get(name) ?? new Map()).set(lastId, hook));
      return lastId;
    },
    unsubscribeBefore: (name, id) => hooks.get(name)?.delete(id) ?? false,
    vetoableEvents: () => vetoableEvents,
    veto: (reason, code = defaultCode) => ({ reason, code }),
    guards: name => (hooks.get(name)?.size ?? 0) > 0,
    async check(event) {
      for (const hook of [...(hooks.get(event.name)?.values() ?? [])]) {
        const veto = await ask(hook, event);
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

async function ask(hook: BeforeHook, event: EventEnvelope): Promise<Veto | undefined> {
  try {
    return asVeto(await hook(event));
  } catch (error) {
    return { reason: `hook failed: ${messageOf(error)}`, code: defaultCode };
  }
}

function asVeto(answer: unknown): Veto | undefined {
  if (!answer) return undefined;
  if (typeof answer === 'string') return { reason: answer, code: defaultCode };
  const { reason, code } = answer as Partial<Veto>;
  if (typeof reason === 'string') return { reason, code: typeof code === 'string' ? code : defaultCode };
  return { reason: `hook returned an unsupported ${typeof answer}`, code: defaultCode };
}
