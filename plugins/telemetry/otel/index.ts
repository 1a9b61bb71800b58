/** Spans for OpenTelemetry, of an instance and of the gateway. Off by default, and then nothing of it is loaded. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../gateway/backends/api.ts';
import type {} from '../../instances/registration/api.ts';
import type {} from '../tracing/api.ts';
import { settings } from './config.ts';
import { targetOf } from './target.ts';

export const otelPlugin = definePlugin(
  { name: 'otel', dependencies: ['tracing'], optional: ['backends', 'registration'], config: settings },
  async (app, { kernel, config, scope, log, optional }) => {
    const { otel_service_name: name, otel_flush_ms: flushMs, dcc_type } = config;
    const target = targetOf(config, kernel.env, problem => log.warn(problem));
    if (!target) return;
    const { openExport } = await import('./export.ts');
    const about = {
      'service.name': optional.backends ? 'svc-gateway' : 'svc-server',
      'service.instance.id': optional.registration?.instance_id ?? kernel.ids.uuid(),
      ...(dcc_type !== null && !optional.backends && { 'svc.dcc_type': dcc_type }),
    };
    const fixed: Record<string, string> = name === null ? {} : { 'service.name': name };
    scope.add('export', openExport({ target, tracing: app.tracing, about, fixed, flushMs, log }));
  },
);
