/** What other plugins may use of the listener. */
import type { Server } from 'node:net';

export interface Bound {
  port: number;
  /** Bind address with port, such as `127.0.0.1:8765`. */
  bind_addr: string;
  /** `http://host:port` that reaches the listener from this machine. */
  origin: string;
}

export interface ListenerService {
  /** Listens as configured, then on every further address, or on what another process had listened on; rejects with SVC_SERVER_* naming the one at fault. */
  listen(taken?: readonly Server[]): Promise<Bound>;
  /** Does something once the port is known, before anybody is told that it is listened on. */
  whenBound(act: (port: number) => Promise<void>): void;
  /** What is listened on, for another process that goes on with it: it gives them to `listen` in this order. */
  sockets(): Server[];
  /** Takes no new connection; those that are there are served, each one answer more. */
  retire(): void;
  /**
   * A further address: what is asked there is served and cut as on the first. Takes nothing new once the application
   * closes; the function that is returned waits for what is under way there.
   */
  also(host: string, port: number): () => Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that is served while the application closes, because it refuses what comes then itself. */
    refusesWhenClosing?: true;
  }
  interface FastifyInstance {
    listener: ListenerService;
  }
}
