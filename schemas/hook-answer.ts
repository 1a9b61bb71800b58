/** What a policy hook answers, in a bounded time: one that never answers must not hold its caller for ever. Pure. */
import { messageOf } from './thrown.ts';

export interface Veto {
  reason: string;
  code: string;
}

/** Code of a veto that names none. */
export const plainVeto = 'vetoed';

/** The veto in what a hook gave: a reason or `{reason, code}` is one, and so is anything else that is true. */
export function vetoIn(answer: unknown): Veto | undefined {
  if (!answer) return undefined;
  if (typeof answer === 'string') return { reason: answer, code: plainVeto };
  const { reason, code } = answer as Partial<Veto>;
  if (typeof reason === 'string') return { reason, code: typeof code === 'string' ? code : plainVeto };
  return { reason: `hook returned an unsupported ${typeof answer}`, code: plainVeto };
}

/** The veto of one hook; that it failed is one too. */
export async function vetoOf<E>(hook: (event: E) => unknown, event: E): Promise<Veto | undefined> {
  try {
    return vetoIn(await hook(event));
  } catch (error) {
    return { reason: `hook failed: ${messageOf(error)}`, code: plainVeto };
  }
}

interface Abortable {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The first veto; silence for `ms` is one too. Nothing when `signal` aborts before. */
export function hookAnswer<E extends { readonly name: string }>(
  hooks: { check(event: E): Promise<Veto | undefined> },
  event: E,
  ms: number,
  signal?: Abortable,
): Promise<Veto | undefined> {
  return new Promise((resolve, reject) => {
    const end = (veto?: Veto): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(veto);
    };
    const abort = (): void => end();
    const reason = `a before hook of ${event.name} did not answer within ${ms} ms`;
    const timer = setTimeout(() => end({ reason, code: plainVeto }), ms);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', abort, { once: true });
    hooks.check(event).then(end, reject);
  });
}
