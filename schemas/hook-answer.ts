/** The policy hooks of an event, asked for a bounded time: one that never answers must not hold its caller for ever. Pure. */

interface Veto {
  reason: string;
  code: string;
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
    const timer = setTimeout(() => end({ reason, code: 'vetoed' }), ms);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', abort, { once: true });
    hooks.check(event).then(end, reject);
  });
}
