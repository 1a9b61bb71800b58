/** The routes of the negotiated family and the plain ones beside them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Disposer, Front } from '../../../kernel/index.ts';
import type { Exchange } from './exchange.ts';
import type { OperationName, operationsOf } from './operations.ts';

type Operations = ReturnType<typeof operationsOf>;

/** Adds the POST routes in a context of their own: their bodies are read by us, so that failures are negotiated too. */
export function addOperationRoutes(app: FastifyInstance, operations: Operations, exchange: Exchange): void {
  app.register(async routes => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
    routes.setChildLoggerFactory(logger => logger);

    for (const name of Object.keys(operations) as OperationName[]) {
      routes.post(`/v1/${name}`, (request, reply) => {
        reply.hijack();
        exchange.receive(operations[name], request.raw, reply.raw);
      });
    }

    routes.get('/v1/tools/:slug', (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      const { slug } = request.params as { slug: string };
      const body = { ...(request.query as object), tool_slug: slug };
      return exchange.serve(operations.describe, body, request.raw, reply.raw);
    });
  });
}

/** The short way of a call, around the router. */
export function addDirectCall(front: Front, operations: Operations, exchange: Exchange): Disposer {
  return front.direct('POST', '/v1/call', (request, response) => exchange.receive(operations.call, request, response));
}
