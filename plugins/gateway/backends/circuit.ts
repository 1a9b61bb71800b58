/** A circuit breaker: after failures in a row nothing is asked for a while, then now and then one request finds out. */
import type { CircuitState } from './api.ts';

export interface CircuitLimits {
  /** Failures in a row that open it. */
  failures: number;
  openMs: number;
  now(): number;
}

export function createCircuit({ failures: threshold, openMs, now }: CircuitLimits) {
  let failures = 0;
  let openUntil = 0;
  let trying = false;

  return {
    get state(): CircuitState {
      if (failures < threshold) return 'closed';
      return trying || now() >= openUntil ? 'half-open' : 'open';
    },
    get failures(): number {
      return failures;
    },
    /** Milliseconds until a request may pass; 0 when one may pass now. */
    admit(): number {
      if (failures < threshold) return 0;
      const wait = openUntil - now();
      if (wait > 0) return wait;
      // The one that finds out may take long: the next one tries a while later, whatever became of it.
      openUntil = now() + openMs;
      trying = true;
      return 0;
    },
    succeeded(): void {
      failures = 0;
      trying = false;
    },
    failed(): void {
      failures += 1;
      trying = false;
      if (failures >= threshold) openUntil = now() + openMs;
    },
  };
}
