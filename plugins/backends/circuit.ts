/** A circuit breaker: after failures in a row nothing is asked for a while, then one request finds out. */
import type { CircuitState } from './api.ts';

export interface CircuitLimits {
  /** Failures in a row that open it. */
  failures: number;
  openMs: number;
  now(): number;
}

export interface Circuit {
  readonly state: CircuitState;
  readonly failures: number;
  /** Milliseconds until a request may pass; 0 when one may pass now, which then is the one that finds out. */
  admit(): number;
  succeeded(): void;
  failed(): void;
  /** A request that was admitted and says nothing of the other side (cancelled by us). */
  withdrawn(): void;
}

export function createCircuit({ failures: threshold, openMs, now }: CircuitLimits): Circuit {
  let failures = 0;
  let openUntil = 0;
  let probing = false;

  const state = (): CircuitState => {
    if (failures < threshold) return 'closed';
    return now() < openUntil ? 'open' : 'half-open';
  };

  return {
    get state() {
      return state();
    },
    get failures() {
      return failures;
    },
    admit() {
      if (failures < threshold) return 0;
      const wait = openUntil - now();
      if (wait > 0) return wait;
      if (probing) return openMs;
      probing = true;
      return 0;
    },
    succeeded() {
      failures = 0;
      probing = false;
    },
    failed() {
      failures += 1;
      probing = false;
      if (failures >= threshold) openUntil = now() + openMs;
    },
    withdrawn() {
      probing = false;
    },
  };
}
