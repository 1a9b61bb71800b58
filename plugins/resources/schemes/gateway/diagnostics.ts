/** `gateway://diagnostics/*`: what the gateway knows of itself (shape:diagnostics). */
import type { ServerConfig } from '../../../../schemas/server-config.ts';
import type { BackendsService } from '../../../gateway/backends/api.ts';
import type { Instance, InstancesService } from '../../../instances/api.ts';
import type { ResourcesService } from '../../api.ts';
import { queryOf } from './query.ts';

/** Tools of the gateway's own tools/list. */
const localTools = 4;

export interface DiagnosticsDeps {
  config: ServerConfig;
  version: string;
  instances: InstancesService;
  backends: BackendsService;
  resources: Pick<ResourcesService, 'followingSessions'>;
  /** The port that is really bound. */
  port(): number;
}

type Json = Record<string, unknown>;

export function createDiagnostics({ config, version, instances, backends, resources, port }: DiagnosticsDeps) {
  const healthy = (instance: Instance): boolean => instance.status === 'available' || instance.status === 'busy';

  return {
    process(uri: string): Json {
      const dcc = queryOf(uri, ['dcc_type']).text('dcc_type')?.toLowerCase();
      const all = instances.list().filter(each => dcc === undefined || each.dcc_type.toLowerCase() === dcc);
      return {
        success: true,
        message: `${all.length} instances are registered`,
        gateway: {
          server_name: config.server_name,
          server_version: config.server_version ?? version,
          own_host: config.host,
          own_port: port(),
          pid: process.pid,
          uptime_secs: Math.round(process.uptime()),
        },
        instances: all.map(instances.toRow),
        counts: {
          total: all.length,
          live: all.filter(each => each.routable).length,
          stale: all.filter(each => each.stale).length,
          unhealthy: all.filter(each => !each.stale && !healthy(each)).length,
        },
        problems: instances.problems(),
      };
    },

    audit(uri: string): Json {
      queryOf(uri, []);
      const pending = backends.list().reduce((sum, each) => sum + each.in_flight, 0);
      return {
        success: true,
        message: `${pending} calls are in flight`,
        entries: [],
        summary: {
          pending_calls: pending,
          resource_subscription_sessions: resources.followingSessions,
          note: 'The durable rows of calls are at the admin API.',
        },
      };
    },

    metrics(uri: string): Json {
      queryOf(uri, []);
      return {
        success: true,
        message: 'limits and sizes of the gateway',
        metrics: {
          gateway_local_tools: localTools,
          live_instances: instances.live().length,
          backend_timeout_ms: config.request_timeout_ms,
          async_dispatch_timeout_ms: config.request_timeout_ms,
          mcp_surface: 'discover+dispatch',
          publishes_backend_tools: false,
          circuits_open: backends.list().filter(each => each.circuit === 'open').length,
        },
      };
    },
  };
}
