/** What other plugins may use of the health routes. */
import type { Disposer } from '../../kernel/index.ts';
import type { Readiness, ReadinessBit } from '../../schemas/readiness.ts';

export type { Readiness, ReadinessBit };

export interface HealthService {
  /**
   * Adds a member to the /health payload. The probe is synchronous and its value payload-safe: no paths, no raw messages.
   * A probe that throws is shown as `{"state":"unavailable"}`. `ok`, `service`, `product` and `version` are taken.
   */
  add(name: string, probe: () => unknown): Disposer;
  /**
   * Adds a synchronous probe to a readiness bit. A bit is true when every probe of it is; a probe that throws counts as
   * false. A bit without a probe is true: what this server does not have cannot be unready.
   */
  ready(bit: ReadinessBit, probe: () => boolean): Disposer;
  /** The bits as /v1/readyz reports them now. */
  readiness(): Readiness;
}

declare module 'fastify' {
  interface FastifyInstance {
    health: HealthService;
  }
}
