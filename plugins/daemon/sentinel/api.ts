/** What the process that serves a gateway knows of its end. */
import type { Successor } from './successor.ts';

export type GatewayEnd = 'idle' | 'yielded';

export interface SentinelService {
  /** Resolves when the gateway should end, with why. Who opened it closes it. */
  readonly ended: Promise<GatewayEnd>;
  /** A daemon of its own, which ends when it has long had no server: said before it listens. */
  standalone: boolean;
  /** Nobody watches its process: it may go on as another one, of a newer version. Said before it listens. */
  handsOver: boolean;
  /**
   * Goes on as another process, which is given what is listened on: no connection is refused, no call lost. Resolves with
   * its id and ends this gateway after its last answers; rejects when it did not start, and then nothing has changed.
   */
  goOn(successor: Successor): Promise<number>;
  /** Resolves when another process has gone on for this gateway, which only gives its last answers then. */
  readonly handedOn: Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    sentinel: SentinelService;
  }
}
