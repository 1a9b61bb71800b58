/** Waiting that ends. */

/** Waits for `promise`, however it ends, but no longer than `ms`. */
export function atMost(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(done, done);
  });
}
