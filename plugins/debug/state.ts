/** What the gateway is and knows now, as its admin page reads it. It knows no transport. */
import type { Kernel } from '../../kernel/index.ts';
import { packageVersion } from '../../kernel/index.ts';
import { logRow } from '../../schemas/log-row.ts';
import type { Json } from '../../schemas/loose.ts';
import { redacted } from '../../schemas/redaction.ts';
import type { CallRecordsService } from '../audit/records/api.ts';
import { type BackendsService, circuitLimits, readRetries } from '../gateway/backends/api.ts';
import type { GatewayEventsService } from '../gateway/events/api.ts';
import type { CapabilitiesService } from '../gateway/index/api.ts';
import type { Instance, InstancesService } from '../instances/api.ts';
import type { McpService } from '../mcp/api.ts';
import type { Settings } from './config.ts';

export interface StateParts {
  kernel: Pick<Kernel, 'config' | 'ids' | 'logTail'>;
  settings: Settings;
  instances: InstancesService;
  backends: BackendsService;
  capabilities: CapabilitiesService;
  callRecords: CallRecordsService;
  gatewayEvents: GatewayEventsService;
  mcp: McpService;
  /** Where the gateway listens. */
  port(): number;
}

/** In the summary of a view. */
function classOf({ stale, dead, status }: Instance): 'live' | 'stale' | 'unhealthy' {
  if (stale) return 'stale';
  return dead || status === 'unreachable' ? 'unhealthy' : 'live';
}

export function createState(parts: StateParts) {
  const { kernel, settings, instances, backends, capabilities, callRecords, gatewayEvents, mcp, port } = parts;
  const began = kernel.ids.now();

  const listed = (view: { include_stale?: boolean; include_dead?: boolean }) => {
    const found = instances.list(view);
    const summary = { live: 0, stale: 0, unhealthy: 0 };
    for (const each of found) summary[classOf(each)] += 1;
    return { found, summary };
  };

  return {
    health(): Json {
      const live = instances.live();
      const circuits = backends.list().map(each => each.circuit);
      const version = kernel.config.server_version ?? packageVersion;
      const ready = backends.list().filter(each => each.ready !== false).length;
      const elected = gatewayEvents.list().findLast(each => each.event === 'election_won');
      const limits: Json = kernel.config;
      const { problem, dropped } = callRecords.status();
      return {
        status: problem === null ? 'ok' : 'degraded',
        instances_ready: ready,
        instances_total: live.length,
        uptime_secs: Math.round((kernel.ids.now() - began) / 1000),
        version,
        rss_bytes: process.memoryUsage.rss(),
        response_format: {
          default: settings.gateway_response_format ?? settings.response_format,
          ...{ legacy_mime: 'application/json', compact_mime: 'application/toon', token_estimator: 'svc-byte4-v1' },
        },
        gateway: {
          current: {
            ...{ name: settings.gateway_name ?? kernel.config.server_name, role: 'gateway', pid: process.pid, version },
            ...{ host: kernel.config.host, port: port(), instance_id: elected?.instance_id ?? null },
            // It is no adapter of an application; and it lives, or nobody would answer.
            ...{ adapter_version: null, adapter_dcc: null, last_heartbeat_unix: Math.floor(kernel.ids.now() / 1000) },
            metadata: {},
          },
          candidates: [],
        },
        limits: {
          body_max_bytes: kernel.config.max_request_body_bytes,
          rate_limit_per_minute_per_ip: limits.rate_limit_per_minute || null,
          xff_trusted_depth: limits.xff_trusted_depth ?? 0,
          read_retry_max: readRetries,
          circuit_failure_threshold: circuitLimits.failures,
          circuit_open_secs: circuitLimits.openMs / 1000,
        },
        circuits: {
          tracked_backends: circuits.length,
          circuits_open: circuits.filter(each => each !== 'closed').length,
        },
        records: { ...callRecords.status(), dropped },
      };
    },

    instances(view: 'live' | 'all', include: { include_stale: boolean; include_dead: boolean }): Json {
      const { found, summary } = listed(view === 'all' ? { include_stale: true, include_dead: true } : include);
      const { evicted_dead } = instances.counts();
      const known_total = instances.list({ include_stale: true, include_dead: true }).length;
      return { total: found.length, known_total, evicted_dead, view, summary, instances: found.map(instances.toRow) };
    },

    workers(): Json {
      const { summary } = listed({ include_stale: true });
      const workers = backends.list().map(({ instance, in_flight, circuit, ready }) => ({
        ...{ instance_id: instance.instance_id, instance_short: instance.instance_short, dcc_type: instance.dcc_type },
        ...{ status: instance.status, in_flight, circuit, ready },
      }));
      return { summary, workers };
    },

    /** Tools of all instances, and how far each is from being called. */
    funnel: () =>
      instances.live().flatMap(({ instance_id }) =>
        capabilities.ofInstance(instance_id).map(({ tool_slug: slug, skill_name, loaded, group_active }) => ({
          ...{ slug, skill_name, loaded },
          callable: loaded && group_active,
        })),
      ),
    circuits: () =>
      backends.list().map(({ instance: { instance_short, dcc_type }, circuit, ready }) => ({
        ...{ instance_short, dcc_type, circuit, ready },
      })),

    tools(): Json {
      const tools = instances.live().flatMap(({ instance_id, instance_short, dcc_type }) =>
        capabilities.ofInstance(instance_id).map(({ tool_slug, backend_tool, summary, skill_name }) => ({
          ...{ slug: tool_slug, name: backend_tool, dcc_type, summary, skill_name, instance_id },
          instance_prefix: instance_short,
        })),
      );
      return { total: tools.length, tools };
    },

    sessions(): Json {
      const sessions = mcp.sessions.list().map(({ id, protocolVersion, clientInfo }) => ({
        ...{ session_id: id, protocol_version: protocolVersion, client: redacted(clientInfo) },
      }));
      return { total: sessions.length, sessions };
    },

    /** Newest first. */
    events(limit: number): Json {
      const events = [...gatewayEvents.list()].reverse();
      return { total: events.length, events: events.slice(0, limit).map(each => redacted(each)) };
    },

    /** Newest first. */
    logs(limit: number, level: string | undefined): Json {
      const lines = kernel.logTail(1000).map(logRow);
      const wanted = lines.filter(each => level === undefined || each.level === level).reverse();
      return { total: wanted.length, logs: wanted.slice(0, limit).map(each => redacted(each)) };
    },
  };
}
