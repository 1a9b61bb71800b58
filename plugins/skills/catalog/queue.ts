/** One thing after the other: what is started through a queue waits for what was started before. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs `work` when all earlier work has settled. */
    run<T>(work: () => Promise<T>): Promise<T> {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    /** Settles when everything started so far has. */
    idle: async (): Promise<void> => {
      await last;
    },
  };
}
