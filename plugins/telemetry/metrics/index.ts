/** Metrics for Prometheus, of an instance and of the gateway. Off by default, and then nothing of it is loaded. */
import type { FastifyInstance } from 'fastify';
import { definePlugin } from '../../../kernel/index.ts';
import { usualMetricsPath } from '../../../schemas/settings.ts';
import type { BackendsService } from '../../gateway/backends/api.ts';
import type { JobsService } from '../../jobs/api.ts';
import type { McpService } from '../../mcp/api.ts';
import type { ToolsService } from '../../tools/api.ts';
import type { WebhooksService } from '../../webhooks/api.ts';
import { settings } from './config.ts';
import type { Reading } from './metrics.ts';

interface Sources {
  mcp?: McpService | undefined;
  jobs?: JobsService | undefined;
  tools?: ToolsService | undefined;
  backends?: BackendsService | undefined;
  webhooks?: WebhooksService | undefined;
}

export const metricsPlugin = definePlugin(
  { name: 'metrics', optional: ['mcp', 'jobs', 'tools', 'backends', 'webhooks'], config: settings },
  async (app: FastifyInstance, { kernel, config, scope, log, optional }) => {
    if (!config.metrics_enabled) {
      // Who names a path looks for them there.
      if (config.metrics_path !== usualMetricsPath)
        log.info('metrics are off, though metrics_path is set: metrics_enabled switches them on');
      return;
    }
    const { createMetrics } = await import('./metrics.ts');
    const metrics = createMetrics(kernel.bus, readingsOf(optional), ({ source, attributes }) =>
      // The gateway knows the instance of a tool that it found; an instance says which name it did not.
      optional.backends ? source.instance_id !== undefined : attributes.error_kind !== 'metadata_not_found',
    );
    scope.add('metrics', metrics.dispose);
    const schema = { operationId: 'metrics', summary: 'Metrics in the text format of Prometheus' };
    app.get(config.metrics_path, { schema }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    );
  },
);

function readingsOf({ mcp, jobs, tools, backends, webhooks }: Sources): Reading[] {
  const readings: (Reading | undefined)[] = [
    mcp && { name: 'svc_sessions', help: 'MCP sessions that are open', read: () => mcp.sessions.size },
    jobs && {
      ...{ name: 'svc_jobs', help: 'Background jobs that have not ended', label: 'status' },
      read: () => ({ ...jobs.active }),
    },
    tools && { name: 'svc_tools', help: 'Tools that may be called', read: () => tools.list().length },
    backends && {
      ...{ name: 'svc_backends', help: 'Instances behind the gateway, by state of their circuit', label: 'circuit' },
      read: () => tally(backends.list().map(each => each.circuit)),
    },
    backends && {
      ...{ name: 'svc_backend_calls_in_flight', help: 'Calls that instances have not answered yet' },
      read: () => backends.list().reduce((sum, each) => sum + each.in_flight, 0),
    },
    webhooks && {
      ...{ name: 'svc_webhook_queue', help: 'Deliveries that wait, by webhook', label: 'webhook' },
      read: () => Object.fromEntries(webhooks.list().map(each => [each.name, each.waiting])),
    },
  ];
  return readings.filter(each => each !== undefined);
}

function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of values) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}
