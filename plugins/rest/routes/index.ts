/** What every family of routes under `/v1` has in common, an instance's and the gateway's: request ids and failures. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { definePlugin } from '../../../kernel/index.ts';
import type { RestRoutesService } from './api.ts';
import { goneSignal, requestIdOf } from './request.ts';

const idHeader = 'x-request-id';

export const restRoutesPlugin = definePlugin({ name: 'rest-routes' }, (app, { kernel }) => {
  /** The id of a request, made and told on first use: the guard may refuse it before any hook of ours. */
  const requestId = (request: FastifyRequest, reply: FastifyReply): string => {
    const told = reply.getHeader(idHeader);
    if (typeof told === 'string') return told;
    const id = requestIdOf(request.headers[idHeader], kernel.ids.uuid);
    reply.header(idHeader, id);
    return id;
  };

  const service: RestRoutesService = {
    add(family) {
      app.register(
        async routes => {
          routes.addHook('onRequest', (request, reply, done) => {
            requestId(request, reply);
            done();
          });
          routes.setErrorHandler((error, request, reply) => family.refuse(error, reply, requestId(request, reply)));
          family.add(routes, { requestId, goneSignal });
        },
        { prefix: '/v1' },
      );
    },
  };
  app.decorate('restRoutes', service);
});
