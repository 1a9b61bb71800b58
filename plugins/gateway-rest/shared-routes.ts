/** Routes that other plugins bring: resources, prompts and jobs, with the gateway's request ids and error envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ids, Logger } from '../../kernel/index.ts';
import type { AggregationService } from '../aggregation/api.ts';
import type { GatewayService } from '../gateway/api.ts';
import type { RelayService } from '../relay/api.ts';
import type { ResourcesService } from '../resources/api.ts';
import { goneSignal } from './answer.ts';
import { correlationOf } from './correlation.ts';

export interface SharedRouteDeps {
  gateway: Pick<GatewayService, 'failure'>;
  resources: Pick<ResourcesService, 'mountRoutes'>;
  aggregation: Pick<AggregationService, 'mountRoutes'>;
  relay: Pick<RelayService, 'mountRoutes'>;
  ids: Pick<Ids, 'uuid'>;
  log: Pick<Logger, 'error'>;
}

const idHeader = 'x-request-id';

export function addSharedRoutes(app: FastifyInstance, deps: SharedRouteDeps): void {
  const { gateway, resources, aggregation, relay, ids, log } = deps;

  /** The id of a request, made and told on first use. */
  const requestId = (request: FastifyRequest, reply: FastifyReply): string => {
    const told = reply.getHeader(idHeader);
    if (typeof told === 'string') return told;
    const id = correlationOf(request.raw, ids).requestId;
    reply.header(idHeader, id);
    return id;
  };

  app.register(
    async routes => {
      routes.addHook('onRequest', (request, reply, done) => {
        requestId(request, reply);
        done();
      });
      routes.setErrorHandler((error, request, reply) => {
        const { status, error: told, retry_after_secs } = gateway.failure(error);
        if (status === 500)
          log.error({ err: error, request_id: requestId(request, reply) }, 'a gateway request failed');
        if (retry_after_secs !== undefined) reply.header('Retry-After', Math.max(1, Math.ceil(retry_after_secs)));
        return reply.code(status).send({ error: told });
      });
      resources.mountRoutes(routes, { requestId, goneSignal: reply => goneSignal(reply.raw) });
      aggregation.mountRoutes(routes, requestId);
      relay.mountRoutes(routes, requestId);
    },
    { prefix: '/v1' },
  );
}
