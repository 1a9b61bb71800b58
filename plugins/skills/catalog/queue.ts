/** One thing after the other: what is started through a queue waits for what was started before. */

export interface Queue {
  /** Runs `work` when all earlier work has settled. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Settles when everything started so far has. */
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    idle: async () => {
      await last;
    },
  };
}
