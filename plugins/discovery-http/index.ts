/** The HTTP discovery source: `/v1/instances/register`, `heartbeat`, `deregister`. */
import type { AddressInfo } from 'node:net';
import { definePlugin, isSvcError, type JsonSchema, summary, toHttpError } from '../../kernel/index.ts';
import {
  DeregisterInstanceSchema,
  HeartbeatInstanceSchema,
  RegisterInstanceSchema,
} from '../../schemas/instance-registration.ts';
import type {} from '../instances/api.ts';
import { discoveryErrors } from './errors.ts';
import { createRemoteRows } from './remote-rows.ts';

export const discoveryHttpPlugin = definePlugin(
  { name: 'discovery-http', dependencies: ['instances'] },
  (app, { kernel, config }) => {
    const rows = createRemoteRows({
      source: app.instances.source('http'),
      count: () => app.instances.list().filter(each => each.source === 'http').length,
      isOwn: ({ hostname, port }) => {
        const own = app.server.address() as AddressInfo | null;
        const names = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]', config.host];
        return own !== null && Number(port) === own.port && names.includes(hostname);
      },
      now: kernel.ids.now,
    });

    app.register(async routes => {
      routes.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
        const parsing = !isSvcError(error) && error.statusCode !== undefined && error.statusCode < 500;
        const known = parsing ? discoveryErrors.BAD_REQUEST({ reason: error.message }) : error;
        const { status, body } = toHttpError(known);
        const { kind, message } = body;
        return reply.code(status).send({ ok: false, success: false, error: { kind, message } });
      });
      /** One operation: its body is checked, its answer is the receipt. */
      const operation = <T>(name: string, schema: unknown, run: (body: T) => unknown): void => {
        const validate = kernel.schemas.compile(schema as JsonSchema, 'own');
        routes.post(`/v1/instances/${name}`, async request => {
          const problems = validate(request.body);
          if (problems) throw discoveryErrors.BAD_REQUEST({ reason: summary(problems) });
          return run(request.body as T);
        });
      };
      operation('register', RegisterInstanceSchema, rows.register);
      operation('heartbeat', HeartbeatInstanceSchema, rows.heartbeat);
      operation('deregister', DeregisterInstanceSchema, rows.deregister);
    });
  },
);
