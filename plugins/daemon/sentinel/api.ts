/** What the process that serves a gateway knows of its end. */

export type GatewayEnd = 'idle' | 'yielded';

export interface SentinelService {
  /** Resolves when the gateway should end, with why. Who opened it closes it. */
  readonly ended: Promise<GatewayEnd>;
  /** A daemon of its own, which ends when it has long had no server: said before it listens. */
  standalone: boolean;
  /** Nobody watches its process: it may go on as another one, of a newer version. Said before it listens. */
  handsOver: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    sentinel: SentinelService;
  }
}
