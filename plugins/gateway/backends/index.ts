/** Connections of the gateway to the instances behind it: drivers, sessions, deadlines, circuit breakers, probes. */

import { definePlugin, packageVersion } from '../../../kernel/index.ts';
import type {} from '../../telemetry/tracing/api.ts';
import { createAuthorization, openBackendTokens } from './authorization.ts';
import { createBackends } from './backends.ts';
import { settings } from './config.ts';
import { backendErrors } from './errors.ts';
import { backendsEvents } from './events.ts';
import { createHttpDriver } from './http/driver.ts';

export const backendsPlugin = definePlugin(
  {
    ...{ name: 'backends', dependencies: ['registry', 'instances'], optional: ['tracing'], config: settings },
    ...{ errors: backendErrors, events: backendsEvents },
  },
  async (app, { kernel, config, scope, log, optional }) => {
    const { gateway_backend_tokens_file: file } = config;
    const tokens = file === null ? undefined : await openBackendTokens({ file, schemas: kernel.schemas, log });
    if (tokens) scope.add('tokens for instances', tokens.close);
    const backends = createBackends({
      instances: app.instances,
      bus: kernel.bus,
      drivers: [createHttpDriver(createAuthorization(app.registry.directory, tokens?.entries))],
      timeoutMs: kernel.config.request_timeout_ms,
      clientVersion: packageVersion,
      tracing: optional.tracing,
      now: kernel.ids.now,
      onError: err => log.error({ err }, 'following an instance failed'),
    });
    app.decorate('backends', backends);
    backends.start();
    // Whoever still waits for an instance when the grace is over is told why, before connections are cut.
    app.addHook('preClose', async () => {
      const over = setTimeout(() => void backends.close(), kernel.config.shutdown_grace_ms).unref();
      scope.add('end of the grace', () => clearTimeout(over));
    });
    scope.add('backends', backends.close);
  },
);
