/** Work that is good to have and may be left out: done as long as it takes no more than a small part of the time. */

const windowMs = 1000;

export interface Allowance {
  /** What `work` gives; undefined where there is no time left for it. */
  within<T>(work: () => T): T | undefined;
}

/** `share` of each second, such as 0.02; work that has begun is not cut off. */
export function createAllowance(share: number, now: () => number = () => performance.now()): Allowance {
  let since = now();
  let left = share * windowMs;
  return {
    within(work) {
      const began = now();
      if (began - since >= windowMs) [since, left] = [began, share * windowMs];
      if (left <= 0) return undefined;
      try {
        return work();
      } finally {
        left -= now() - began;
      }
    },
  };
}
