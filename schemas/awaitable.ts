/** Answers that may be there at once: state in memory costs no promise, state elsewhere is awaited all the same. */

export type Awaitable<T> = T | Promise<T>;

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function';
}

/** Goes on with `value`: at once when it is there, otherwise when it is. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromise(value) ? (value as Promise<T>).then(next) : next(value);
}

export interface Turns {
  /** Runs the work of one key in the order it came, each when the one before has settled: at once when none is under way. */
  take<T>(key: string, work: () => Awaitable<T>): Awaitable<T>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take<T>(key: string, work: () => Awaitable<T>): Awaitable<T> {
      const before = last.get(key);
      const outcome = before ? before.then(work) : work();
      if (!isPromise(outcome)) return outcome;
      const settled = (): void => {
        if (last.get(key) === tail) last.delete(key);
      };
      const tail: Promise<void> = outcome.then(settled, settled);
      last.set(key, tail);
      return outcome as Promise<T>;
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
