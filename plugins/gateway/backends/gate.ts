/** Who may ask an instance now: bounds the calls in flight and leaves alone what keeps failing. */
import type { CircuitState } from './api.ts';
import { type CircuitLimits, createCircuit } from './circuit.ts';
import { backendErrors } from './errors.ts';
import { type Asked, errorOf, naming } from './failure.ts';

const busyRetrySecs = 1;

export interface GateLimits extends CircuitLimits {
  maxInFlight: number;
}

export type Gate = ReturnType<typeof createGate>;

export function createGate(asked: Asked, limits: GateLimits) {
  const { maxInFlight } = limits;
  const circuit = createCircuit(limits);
  let inFlight = 0;
  return {
    get inFlight(): number {
      return inFlight;
    },
    get circuit(): CircuitState {
      return circuit.state;
    },
    /** Throws SVC_BACKENDS_GONE, _CIRCUIT_OPEN or _BUSY; otherwise one `leave` must follow. */
    enter(): void {
      if (asked.goneBecause !== undefined) {
        throw errorOf({ kind: 'gone', reason: asked.goneBecause }, asked, '', { timeoutMs: 0, maxBytes: 0 });
      }
      if (inFlight >= maxInFlight) {
        throw backendErrors.BUSY({ ...naming(asked, true), limit: maxInFlight, retry_after_secs: busyRetrySecs });
      }
      const wait = circuit.admit();
      if (wait > 0) {
        const { failures } = circuit;
        const details = { failures, previous_status: 'unreachable', previous_instance_id: asked.instance.instance_id };
        const retry_after_secs = Math.max(1, Math.ceil(wait / 1000));
        throw backendErrors.CIRCUIT_OPEN({ ...naming(asked, true), ...details, retry_after_secs });
      }
      inFlight += 1;
    },
    /** `undefined` says nothing of the instance. */
    leave(answered: boolean | undefined): void {
      inFlight -= 1;
      if (answered === true) circuit.succeeded();
      else if (answered === false) circuit.failed();
    },
  };
}
