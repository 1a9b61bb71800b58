/** Ends a daemon that has had no live server for a while. */
import type { Disposer } from '../../../kernel/index.ts';

const pollMs = 5000;

export interface IdleWatch {
  /** Number of servers that could be called now. */
  live(): number;
  timeoutMs: number;
  onIdle(): void;
}

/** Polls; the time runs while there is no server and starts anew when there was one. */
export function watchIdle({ live, timeoutMs, onIdle }: IdleWatch): Disposer {
  // Not the time of day, which may jump.
  let emptySince = performance.now();
  const look = (): void => {
    if (live() > 0) emptySince = Number.POSITIVE_INFINITY;
    else emptySince = Math.min(emptySince, performance.now());
    if (performance.now() - emptySince >= timeoutMs) onIdle();
  };
  const timer = setInterval(look, Math.min(pollMs, timeoutMs)).unref();
  return () => clearInterval(timer);
}
