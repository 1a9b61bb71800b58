/** The REST twin of the instance: `/v1/*` for clients that speak HTTP and not MCP. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../health/api.ts';
import { failureOf } from './answer.ts';
import { createCapabilities } from './capabilities.ts';
import { restErrors } from './errors.ts';
import { createGate } from './gate.ts';
import { addPromptRoutes } from './prompt-routes.ts';
import { createReadyCheck } from './readiness.ts';
import { addSkillRoutes } from './skill-routes.ts';

export const restPlugin = definePlugin(
  { name: 'rest', dependencies: ['rest-routes', 'tools', 'skills', 'resources', 'prompts'] },
  (app, { config, log }) => {
    const { tools, skills, resources, prompts } = app;
    const gate = createGate(config.rest_tokens);
    const checkReady = createReadyCheck(app.hasDecorator('health') ? app.health : undefined);
    const capabilities = createCapabilities({ tools, skills, dcc: config.dcc_type ?? 'python' });

    app.restRoutes.add({
      refuse(error, reply, requestId) {
        const { status, body, retry_after_secs } = failureOf(error, requestId);
        if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
        if (retry_after_secs !== undefined) reply.header('Retry-After', retry_after_secs);
        if (status >= 500) log.error({ err: error, request_id: requestId }, 'a REST request failed');
        return reply.code(status).send(body);
      },
      add(routes, tellers) {
        const { requestId } = tellers;
        routes.addHook('onRequest', (request, _reply, done) => {
          gate(request.socket.remoteAddress, request.headers.authorization);
          done();
        });
        routes.setNotFoundHandler((request, reply) => {
          const path = request.url.split('?')[0];
          const failure = restErrors.NO_ROUTE({ method: request.method, path });
          return reply.code(404).send(failureOf(failure, requestId(request, reply)).body);
        });
        resources.mountRoutes(routes, tellers);
        addPromptRoutes(routes, { prompts, requestId });
        addSkillRoutes(routes, { tools, skills, capabilities, checkReady, ...tellers });
      },
    });
  },
);
