/** A timer for a moment instead of a span. */

/** The longest that a timer of Node can wait: a little less than 25 days. */
const longestMs = 2 ** 31 - 1;

/**
 * Rings at `time`, in milliseconds of the clock that `now` tells, however far off that is; at once when it has passed.
 * Keeps no process. Returns how to stop it.
 */
export function timerAt(time: number, now: () => number, ring: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = time - now();
    timer = setTimeout(left > longestMs ? wait : ring, Math.min(longestMs, Math.max(0, left))).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
