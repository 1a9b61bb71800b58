/** The gateway over HTTP: search, describe, load_skill, call and their kin, readiness, and the description of the API. */
import { definePlugin } from '../../kernel/index.ts';
import { correlationOf } from './correlation.ts';
import { createExchange } from './exchange.ts';
import { openapiDocument } from './openapi.ts';
import { operationsOf } from './operations.ts';
import { createReadiness } from './readiness.ts';
import { addDirectCall, addOperationRoutes } from './routes.ts';
import { addSharedRoutes } from './shared-routes.ts';

export const gatewayRestPlugin = definePlugin(
  { name: 'gateway-rest', dependencies: ['gateway', 'instances', 'resources', 'aggregation', 'relay'] },
  (app, { kernel, config, scope, log }) => {
    const { gateway, instances, resources, aggregation, relay } = app;
    const { ids, front } = kernel;
    const operations = operationsOf(gateway);
    const exchange = createExchange({ gateway, ids, log, maxBytes: config.max_request_body_bytes });
    addOperationRoutes(app, operations, exchange);
    scope.add('POST /v1/call', addDirectCall(front, operations, exchange));

    addSharedRoutes(app, { gateway, resources, aggregation, relay, ids, log });

    app.get('/v1/skills', async (request, reply) => {
      const { requestId } = correlationOf(request.raw, ids);
      reply.header('x-request-id', requestId);
      return { ...gateway.skills(), request_id: requestId };
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
