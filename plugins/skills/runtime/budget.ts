/** A counter that refills: what a tool prints or tells in a loop is held to it, so that it cannot flood the server. */

export function createBudget(burst: number, perSecond: number, now: () => number = Date.now) {
  let left = burst;
  let filledAt = now();

  /** The clock is read only while there is nothing left. */
  const isSpent = (): boolean => {
    if (left >= 1) return false;
    const time = now();
    left = Math.min(burst, left + ((time - filledAt) / 1000) * perSecond);
    filledAt = time;
    return left < 1;
  };

  return {
    /** False while spent. */
    take(): boolean {
      if (isSpent()) return false;
      left -= 1;
      return true;
    },
    get spent(): boolean {
      return isSpent();
    },
  };
}
