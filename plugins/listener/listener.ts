/** The listeners of an application: the one that it is configured with, and further ones that serve the same. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../../schemas/address.ts';
import { joined, listenError } from './addresses.ts';
import type { Bound } from './api.ts';
import type { Drain } from './drain.ts';

interface Further {
  host: string;
  port: number;
  server?: Server;
  ended?: Promise<void>;
}

export function createListener(app: FastifyInstance, drain: Drain) {
  const furthers = new Set<Further>();
  drain.add(app.server);

  const open = async (further: Further): Promise<void> => {
    const { host, port } = further;
    const server = createServer((request, response) => void app.server.emit('request', request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', error => reject(listenError(error, host, port)));
      server.listen({ host, port, exclusive: true }, resolve);
    });
    drain.add(server);
    further.server = server;
    app.kernel.log.info(`listening on http://${joined(host, port)} too`);
  };

  return {
    async listen(): Promise<Bound> {
      const { host, port } = app.kernel.config;
      try {
        // Exclusive: in a cluster too, the port is this process's alone.
        await app.listen({ host, port, exclusive: true, listenTextResolver: address => `listening on ${address}` });
      } catch (error) {
        throw listenError(error, host, port);
      }
      for (const further of furthers) await open(further);
      const bound = (app.server.address() as AddressInfo).port;
      return { port: bound, bind_addr: joined(host, bound), origin: originOf({ host, port: bound }) };
    },
    also(host: string, port: number): () => Promise<void> {
      const further: Further = { host, port };
      furthers.add(further);
      return async () => further.ended;
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
