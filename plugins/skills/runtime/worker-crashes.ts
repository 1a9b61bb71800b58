/** Remembers how often a skill ended unexpectedly, so that one that always does is not started without end. */

const most = 5;
const windowMs = 10_000;

export function createCrashGuard(now: () => number = Date.now) {
  let times: number[] = [];
  let last = '';
  return {
    note(how: string): void {
      last = how;
      times = [...times, now()].slice(-most);
    },
    /** What to tell callers while the skill is paused; undefined when it may start. */
    pause(): { count: number; window_secs: number; pause_secs: number; reason: string } | undefined {
      const [oldest] = times;
      if (times.length < most || oldest === undefined) return undefined;
      const left = oldest + windowMs - now();
      if (left <= 0) return undefined;
      return { count: most, window_secs: windowMs / 1000, pause_secs: Math.ceil(left / 1000), reason: last };
    },
  };
}
