/** The gateway over HTTP: its service behind `/v1`, and its readiness. */

import { definePlugin } from '../../../kernel/index.ts';
import { LeaseRequestSchema } from '../../../schemas/gateway.ts';
import { gatewayAnswers, LeaseAnswerSchema, ReadyAnswerSchema } from '../../../schemas/gateway-answer.ts';
import { objectOf } from '../../../schemas/loose.ts';
import type {} from '../../rest/api.ts';
import type {} from '../api.ts';
import { settings } from './config.ts';
import { createReadiness } from './readiness.ts';

const lease = {
  operationId: 'lease',
  summary: 'Take, renew or give back an instance',
  body: LeaseRequestSchema,
  response: { 200: LeaseAnswerSchema },
};

export const gatewayRestPlugin = definePlugin(
  {
    name: 'gateway-rest',
    config: settings,
    dependencies: ['rest', 'gateway', 'instances', 'resources', 'aggregation'],
  },
  (app, { kernel, config }) => {
    const { rest, gateway, instances, resources, aggregation } = app;
    rest.mount({
      service: gateway,
      title: `${kernel.config.server_name} gateway`,
      refusal(error) {
        const { status, error: told, retry_after_secs } = gateway.failure(error);
        return { status, body: { error: told }, retry_after_secs };
      },
      answers: gatewayAnswers,
      format: config.gateway_response_format ?? config.response_format,
      lenientSearch: true,
      direct: (body, caller) =>
        body.calls === undefined ? gateway.call(body, caller) : gateway.callBatch(body, caller),
      indexGeneration: () => gateway.indexGeneration,
      prompts: {
        list: aggregation.prompts,
        render: (name, args, signal) => aggregation.renderPrompt(name, args, { signal }),
      },
      add(routes, tools) {
        resources.mountRoutes(routes, tools);
        routes.post('/lease', { schema: lease }, async ({ body }) => gateway.lease(objectOf(body)));
      },
    });

    const readiness = createReadiness(instances, config);
    const schema = {
      operationId: 'readyz',
      summary: 'Readiness of the gateway and its instances',
      response: { 200: ReadyAnswerSchema },
    };
    app.get('/v1/readyz', { schema }, async () => readiness());
  },
);
