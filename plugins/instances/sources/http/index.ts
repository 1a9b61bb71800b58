/** The HTTP discovery source: `/v1/instances/register`, `heartbeat`, `deregister`. */
import { definePlugin, isSvcError, type JsonSchema, summary, toHttpError } from '../../../../kernel/index.ts';
import {
  DeregisterInstanceSchema,
  HeartbeatInstanceSchema,
  RegisterInstanceSchema,
} from '../../../../schemas/instance-registration.ts';
import type {} from '../../../guard/api.ts';
import type {} from '../../api.ts';
import type {} from '../../registry/api.ts';
import { createClaims } from './claims.ts';
import { discoveryErrors } from './errors.ts';
import { type Claimant, createRemoteRows } from './remote-rows.ts';

export const discoveryHttpPlugin = definePlugin(
  { name: 'discovery-http', errors: discoveryErrors, dependencies: ['guard', 'instances', 'registry'] },
  async (app, { kernel, scope, log }) => {
    const source = app.instances.source('http');
    const claims = createClaims({
      directory: app.registry.directory,
      isThere: id => source.get(id) !== undefined,
      now: () => performance.now(),
      onError: err => log.error({ err }, 'whose the remote instances are cannot be kept: a restart forgets it'),
    });
    if (app.guard.on) await claims.load();
    scope.add('claims', claims.close);
    const rows = createRemoteRows({ source, claims });

    app.register(async routes => {
      // Heartbeats come by the hundred: none has a logger of its own made.
      routes.setChildLoggerFactory(logger => logger);
      routes.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
        const parsing = !isSvcError(error) && error.statusCode !== undefined && error.statusCode < 500;
        const known = parsing ? discoveryErrors.BAD_REQUEST({ reason: error.message }) : error;
        const { status, body } = toHttpError(known);
        const { kind, message, context } = body;
        if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
        if (isSvcError(known)) app.guard.refused(request.raw, known);
        const scope = status === 403 && { dcc_type: context.dcc_type };
        return reply.code(status).send({ ok: false, success: false, error: { kind, message, ...scope } });
      });
      /** One operation: its body is checked, its answer is the receipt. */
      const operation = <T>(
        name: string,
        title: string,
        body: unknown,
        run: (body: T, claimant: Claimant | undefined) => unknown,
      ): void => {
        const validate = kernel.schemas.compile(body as JsonSchema, 'own');
        const schema = { operationId: name, summary: title, body };
        routes.post(`/v1/instances/${name}`, { schema }, async request => {
          const { dcc_type, instance_id } = (request.body ?? {}) as { dcc_type?: unknown; instance_id?: unknown };
          // Before anything is said about the body; for what is registered now as well as for what is to be.
          const known = typeof instance_id === 'string' ? rows.typeOf(instance_id) : undefined;
          const claimant = app.guard.callerOf(request.raw);
          for (const asked of [known, dcc_type]) {
            app.guard.mayRegister(request.raw, typeof asked === 'string' ? asked : undefined);
          }
          const problems = validate(request.body);
          if (problems) throw discoveryErrors.BAD_REQUEST({ reason: summary(problems) });
          if (typeof instance_id === 'string') rows.assertOwn(instance_id, claimant);
          return run(request.body as T, claimant);
        });
      };
      operation('register', 'Register a remote instance', RegisterInstanceSchema, rows.register);
      operation('heartbeat', 'Renew a remote instance', HeartbeatInstanceSchema, rows.heartbeat);
      operation('deregister', 'Remove a remote instance', DeregisterInstanceSchema, rows.deregister);
    });
  },
);
