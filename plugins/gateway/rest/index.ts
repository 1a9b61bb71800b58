/** The gateway over HTTP: search, describe, load_skill, call and their kin, readiness, and the description of the API. */
import { definePlugin } from '../../../kernel/index.ts';
import { createExchange } from './exchange.ts';
import { openapiDocument } from './openapi.ts';
import { operationsOf } from './operations.ts';
import { createReadiness } from './readiness.ts';
import { addDirectCall, addOperationRoutes } from './routes.ts';

export const gatewayRestPlugin = definePlugin(
  {
    name: 'gateway-rest',
    dependencies: ['rest-routes', 'gateway', 'instances', 'resources', 'aggregation', 'delivery'],
  },
  (app, { kernel, config, scope, log }) => {
    const { gateway, instances, resources, aggregation, delivery } = app;
    const { ids, front } = kernel;
    const operations = operationsOf(gateway);
    const exchange = createExchange({ gateway, ids, log, maxBytes: config.max_request_body_bytes });
    addOperationRoutes(app, operations, exchange);
    scope.add('POST /v1/call', addDirectCall(front, operations, exchange));

    // Resources, prompts and jobs are brought by their plugins; the envelope of failures is the gateway's.
    app.restRoutes.add({
      refuse(error, reply, requestId) {
        const { status, error: told, retry_after_secs } = gateway.failure(error);
        if (status === 500) log.error({ err: error, request_id: requestId }, 'a gateway request failed');
        if (retry_after_secs !== undefined) reply.header('Retry-After', Math.max(1, Math.ceil(retry_after_secs)));
        return reply.code(status).send({ error: told });
      },
      add(routes, tellers) {
        resources.mountRoutes(routes, tellers);
        aggregation.mountRoutes(routes, tellers.requestId);
        delivery.mountRoutes(routes, tellers.requestId);
        routes.get('/skills', async (request, reply) => ({
          ...gateway.skills(),
          request_id: tellers.requestId(request, reply),
        }));
      },
    });

    const readiness = createReadiness({ instances, config });
    // The health plugin may have it already, where it knows that it stands in a gateway.
    if (!app.hasRoute({ method: 'GET', url: '/v1/readyz' })) app.get('/v1/readyz', async () => readiness());

    let described: string | undefined;
    app.get('/v1/openapi.json', async (_request, reply) => {
      described ??= JSON.stringify(
        openapiDocument(config.server_name, (method, url) => app.hasRoute({ method: method as 'GET', url })),
      );
      return reply.type('application/json').send(described);
    });
  },
);
