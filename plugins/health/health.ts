/** Liveness and readiness, put together from what the plugins contribute. */
import { createEntries, packageVersion } from '../../kernel/index.ts';
import { type Readiness, type ReadinessBit, readinessBits } from '../../schemas/readiness.ts';
import type { HealthService } from './api.ts';

/** What every server of this package says that it is, whichever of its services answers. */
const product = 'svc';

/** Without these four the server cannot serve a call; the other two are informative. */
const required: readonly ReadinessBit[] = ['process', 'dcc', 'skill_catalog', 'dispatcher'];

export interface Health extends HealthService {
  /** Body of /health. */
  report(): Record<string, unknown>;
}

/** `service` is the name under which the server answers; `onFailure` is told of a probe that threw. */
export function createHealth(service: string, onFailure: (name: string, error: unknown) => void): Health {
  const contributions = createEntries<() => unknown>('health contribution');
  contributions.add('ok', () => true);
  contributions.add('service', () => service);
  contributions.add('product', () => product);
  contributions.add('version', () => packageVersion);
  const probes = new Map<ReadinessBit, Set<() => boolean>>(readinessBits.map(bit => [bit, new Set()]));

  const attempt = <T>(name: string, probe: () => T, failed: T): T => {
    try {
      return probe();
    } catch (error) {
      onFailure(name, error);
      return failed;
    }
  };

  return {
    add: (name, probe) => contributions.add(name, probe),
    ready(bit, probe) {
      const known = probes.get(bit);
      if (!known) throw new TypeError(`"${bit}" is not a readiness bit: use one of ${readinessBits.join(', ')}`);
      // Wrapped, so that the same function added twice is two probes with two disposers.
      const own = (): boolean => probe() === true;
      known.add(own);
      return () => void known.delete(own);
    },
    readiness() {
      const bits = [...probes].map(([bit, known]) => [bit, [...known].every(probe => attempt(bit, probe, false))]);
      return Object.fromEntries(bits) as Readiness;
    },
    report: () =>
      Object.fromEntries(
        contributions.names().map(name => {
          const probe = contributions.get(name) ?? (() => undefined);
          return [name, attempt(name, probe, { state: 'unavailable' })];
        }),
      ),
  };
}

export const isReady = (bits: Readiness): boolean => required.every(bit => bits[bit]);
