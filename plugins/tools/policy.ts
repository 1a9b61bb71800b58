/** The policy hooks of a call, asked for a bounded time: one that never answers must not hold calls for ever. */
import type { EventEnvelope, Hooks, Veto } from '../../kernel/index.ts';

/** The first veto; silence for `ms` is one too. Nothing when `signal` aborts before. */
export function askHooks(
  hooks: Pick<Hooks, 'check'>,
  event: EventEnvelope,
  ms: number,
  signal: AbortSignal,
): Promise<Veto | undefined> {
  return new Promise((resolve, reject) => {
    const end = (veto?: Veto): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(veto);
    };
    const abort = (): void => end();
    const reason = `a before hook of ${event.name} did not answer within ${ms} ms`;
    const timer = setTimeout(() => end({ reason, code: 'vetoed' }), ms);
    signal.addEventListener('abort', abort, { once: true });
    hooks.check(event).then(end, reject);
  });
}
