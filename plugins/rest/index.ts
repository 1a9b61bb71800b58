/** The REST twin of the instance: `/v1/*` for clients that speak HTTP and not MCP. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../health/api.ts';
import { failureOf, goneSignal, requestIdOf } from './answer.ts';
import { createCapabilities } from './capabilities.ts';
import { restErrors } from './errors.ts';
import { createGate } from './gate.ts';
import { addPromptRoutes } from './prompt-routes.ts';
import { createReadyCheck } from './readiness.ts';
import { addSkillRoutes } from './skill-routes.ts';

const idHeader = 'x-request-id';

export const restPlugin = definePlugin(
  { name: 'rest', dependencies: ['tools', 'skills', 'resources', 'prompts'] },
  (app, { kernel, config, log }) => {
    const { tools, skills, resources, prompts } = app;
    const gate = createGate(config.rest_tokens);
    const checkReady = createReadyCheck(app.hasDecorator('health') ? app.health : undefined);
    const capabilities = createCapabilities({ tools, skills, dcc: config.dcc_type ?? 'python' });
    /** The id of a request, made and told on first use: the guard may refuse it before any hook of ours. */
    const requestId = (request: FastifyRequest, reply: FastifyReply): string => {
      const told = reply.getHeader(idHeader);
      if (typeof told === 'string') return told;
      const id = requestIdOf(request.headers[idHeader], kernel.ids.uuid);
      reply.header(idHeader, id);
      return id;
    };

    app.register(
      async routes => {
        routes.addHook('onRequest', (request, reply, done) => {
          requestId(request, reply);
          gate(request.socket.remoteAddress, request.headers.authorization);
          done();
        });
        routes.setErrorHandler((error, request, reply) => {
          const { status, body, retry_after_secs } = failureOf(error, requestId(request, reply));
          if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
          if (retry_after_secs !== undefined) reply.header('Retry-After', retry_after_secs);
          if (status >= 500) log.error({ err: error, request_id: body.request_id }, 'a REST request failed');
          return reply.code(status).send(body);
        });
        routes.setNotFoundHandler((request, reply) => {
          const path = request.url.split('?')[0];
          const failure = restErrors.NO_ROUTE({ method: request.method, path });
          return reply.code(404).send(failureOf(failure, requestId(request, reply)).body);
        });
        resources.mountRoutes(routes, { requestId, goneSignal });
        addPromptRoutes(routes, { prompts, requestId });
        addSkillRoutes(routes, { tools, skills, capabilities, requestId, checkReady });
      },
      { prefix: '/v1' },
    );
  },
);
