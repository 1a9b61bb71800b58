/** `/v1/*` for clients that speak HTTP and not MCP: one set of routes, the services behind it brought by others. */

import { definePlugin } from '../../kernel/index.ts';
import { instanceAnswers } from '../../schemas/instance-answer.ts';
import type {} from '../health/api.ts';
import type {} from '../telemetry/tracing/api.ts';
import type { RestRoutes, RestSide } from './api.ts';
import { createBatch } from './batch.ts';
import { settings } from './config.ts';
import { createDirectCall } from './direct.ts';
import { codec } from './encoding.ts';
import { restErrors } from './errors.ts';
import { createCapabilities } from './instance/capabilities.ts';
import { refusalOf } from './instance/envelope.ts';
import { createReadyCheck } from './instance/readiness.ts';
import { createInstanceService } from './instance/service.ts';
import { addJobRoutes } from './job-routes.ts';
import { createNegotiation } from './negotiated.ts';
import { describeRoutes, gatherRoutes } from './openapi.ts';
import { addRoutes, correlator, sendRefusal } from './routes.ts';
import { settings as routeSettings } from './routes-config.ts';
import { allowEvents, createStreams } from './streams.ts';

/** The routes; they stand first, so that they know of those of the other plugins. */
export const restPlugin = definePlugin(
  { name: 'rest', optional: ['tracing'], errors: restErrors, config: routeSettings },
  (app, { kernel, config, scope, log, optional }) => {
    const { ids, front } = kernel;
    const heartbeatSecs = config.sse_heartbeat_secs;
    const gathered = gatherRoutes(app);
    const streams = createStreams();
    // Before the server waits for its connections.
    app.addHook('preClose', async () => streams.end());
    let refuse: RestSide['refusal'] = refusalOf;
    const service: RestRoutes = {
      codec,
      batch: createBatch,
      mount(side) {
        refuse = side.refusal;
        const negotiation = createNegotiation(side, codec);
        const deps = {
          side,
          codec,
          negotiation,
          ids,
          tracing: optional.tracing,
          log,
          maxBytes: kernel.config.max_request_body_bytes,
          streams,
          heartbeatSecs,
        };
        app.register(routes => addRoutes(routes, deps), { prefix: '/v1' });
        if (side.direct) {
          scope.add('POST /v1/call', front.direct('POST', '/v1/call', createDirectCall({ ...deps, run: side.direct })));
        }
        let described: Promise<string> | undefined;
        const schema = { operationId: 'openapi', summary: 'This description' };
        app.get('/v1/openapi.json', { schema }, async (_request, reply) => {
          described ??= describeRoutes(side.title, gathered, kernel.config);
          return reply.type('application/json').send(await described);
        });
      },
      jobs(jobs) {
        const correlate = correlator(ids);
        const followed = createStreams();
        // Later than the other streams: whoever brings the jobs has let them end by then, and each stream says so itself.
        app.addHook('preClose', async () => followed.end());
        app.register(
          async routes => {
            await allowEvents(routes, heartbeatSecs);
            routes.addHook('onRequest', (request, reply, done) => {
              correlate(request, reply);
              done();
            });
            routes.setErrorHandler((error, request, reply) =>
              sendRefusal(reply, refuse(error, correlate(request, reply).requestId)),
            );
            addJobRoutes(routes, jobs, followed);
          },
          { prefix: '/v1' },
        );
      },
    };
    app.decorate('rest', service);
  },
);

/** The service of an instance. */
export const restInstancePlugin = definePlugin(
  {
    name: 'rest-instance',
    config: settings,
    dependencies: ['rest', 'tools', 'skills', 'resources', 'prompts'],
    optional: ['health'],
  },
  (app, { kernel, config, optional }) => {
    const { rest, tools, skills, resources, prompts } = app;
    const service = createInstanceService({
      ...{ tools, skills, batch: rest.batch },
      capabilities: createCapabilities({ tools, skills, dcc: config.dcc_type ?? 'python' }),
      checkReady: createReadyCheck(optional.health),
    });
    rest.mount({
      service,
      title: kernel.config.server_name,
      refusal: refusalOf,
      answers: instanceAnswers,
      format: 'json',
      prompts: {
        async list() {
          await prompts.settled();
          return prompts.list();
        },
        async render(name, args) {
          await prompts.settled();
          return prompts.render(name, args);
        },
      },
      add: resources.mountRoutes,
    });
  },
);
