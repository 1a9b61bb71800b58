/** The listeners of an application: the one that it is configured with, and further ones that serve the same. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../../schemas/address.ts';
import { joined, listenError } from './addresses.ts';
import type { Bound } from './api.ts';
import type { Drain } from './drain.ts';

/** Node has these as members, its types as options only. */
type Bounds = Server & { maxHeaderSize?: number; connectionsCheckingInterval?: number; requireHostHeader?: boolean };

interface Further {
  host: string;
  port: number;
  server?: Server;
  ended?: Promise<void>;
}

export function createListener(app: FastifyInstance, drain: Drain) {
  const furthers = new Set<Further>();
  const acts: ((port: number) => Promise<void>)[] = [];
  drain.add(app.server);

  const open = async (further: Further, taken?: NetServer): Promise<void> => {
    const { host, port } = further;
    const server = createServer((request, response) => void app.server.emit('request', request, response));
    // Held to the same.
    const { requestTimeout, headersTimeout, keepAliveTimeout, maxHeaderSize, connectionsCheckingInterval }: Bounds =
      app.server;
    const { requireHostHeader }: Bounds = app.server;
    Object.assign(server, {
      requestTimeout,
      headersTimeout,
      keepAliveTimeout,
      maxHeaderSize,
      connectionsCheckingInterval,
      requireHostHeader,
    });
    server.on('connect', (...asked) => void app.server.emit('connect', ...asked));
    server.on('clientError', (error, socket) => void app.server.emit('clientError', error, socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', error => reject(listenError(error, host, port)));
      server.listen(taken ?? { host, port, exclusive: true }, resolve);
    });
    drain.add(server);
    further.server = server;
    app.kernel.log.info(`listening on http://${joined(host, port)} too`);
  };

  const servers = (): Server[] => [app.server, ...[...furthers].flatMap(each => each.server ?? [])];

  return {
    async listen(taken: readonly NetServer[] = []): Promise<Bound> {
      const { host, port } = app.kernel.config;
      const [first, ...others] = taken;
      try {
        // Exclusive: in a cluster too, the port is this process's alone.
        const bind = { host, port, exclusive: true, ...(first && socketOf(first)) };
        await app.listen({ ...bind, listenTextResolver: address => `listening on ${address}` });
      } catch (error) {
        throw listenError(error, host, port);
      }
      for (const [index, further] of [...furthers].entries()) await open(further, others[index]);
      const bound = (app.server.address() as AddressInfo).port;
      await Promise.all(acts.map(act => act(bound)));
      return { port: bound, bind_addr: joined(host, bound), origin: originOf({ host, port: bound }) };
    },
    whenBound: (act: (port: number) => Promise<void>): void => void acts.push(act),
    also(host: string, port: number): () => Promise<void> {
      const further: Further = { host, port };
      furthers.add(further);
      return async () => further.ended;
    },
    sockets: (): NetServer[] => servers(),
    retire(): void {
      for (const server of servers()) {
        server.prependListener('request', lastOfItsConnection);
        // Not HTTP's own close, which cuts idle connections: on one of them a request may be on its way.
        NetServer.prototype.close.call(server);
      }
    },
    /** The further ones take nothing new. */
    stop(): void {
      for (const further of furthers) {
        const { server } = further;
        if (server) further.ended ??= new Promise(resolve => server.close(() => resolve()));
      }
    },
  };
}

/** What Node listens on in place of an address: anything with such a member. */
const socketOf = (taken: NetServer): object => ({ _handle: (taken as { _handle?: unknown })._handle });

/** Whoever asks again connects anew, and meets who listens then. */
const lastOfItsConnection = (_request: unknown, response: ServerResponse): void => {
  response.shouldKeepAlive = false;
};
