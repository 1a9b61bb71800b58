/** What the process that serves a gateway knows of its end. */

export type GatewayEnd = 'idle' | 'yielded';

export interface SentinelService {
  /** Resolves when the gateway should end, with why. Who opened it closes it. */
  readonly ended: Promise<GatewayEnd>;
}

declare module 'fastify' {
  interface FastifyInstance {
    sentinel: SentinelService;
  }
}
