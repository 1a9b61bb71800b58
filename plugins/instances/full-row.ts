/** The full row of an instance that clients see (shape:instances). */
import { leaseHolder } from '../../schemas/instance.ts';
import type { Instance, InstanceSource } from './api.ts';
import { dispatchOf } from './dispatch-status.ts';
import { isSidecar } from './instance.ts';
import { instanceStatus } from './instance-status.ts';

const refreshModes: Record<InstanceSource, string> = {
  file: 'file_registry_heartbeat',
  http: 'http_ttl_heartbeat',
  relay: 'relay_poll',
  mdns: 'mdns_discovery',
};

const executionBits = ['dispatcher', 'host_execution_bridge', 'main_thread_executor'] as const;

/** `now` in milliseconds. */
export function fullRow(instance: Instance, now: number): Record<string, unknown> {
  const { row, probe, source, source_meta, instance_id, instance_short, dcc_type, host, port, status } = instance;
  const { mcp_url, discovery_mcp_url, stale } = instance;
  const { scene, documents, pid, host_pid, display_name, version, adapter_version, adapter_dcc, metadata } = row;
  const { capacity, lease_owner, current_job_id, lease_expires_at } = row;
  const { readiness, last_error, probed_at } = probe;
  return {
    ...{ instance_id, instance_short, dcc_type, host, port, mcp_url, discovery_mcp_url, source, source_meta, status },
    display_id: displayId(instance),
    ...{ scene, documents, pid, host_pid, display_name, version, adapter_version, adapter_dcc, metadata, stale },
    lifecycle: lifecycle(instance),
    gateway: {
      runtime_mode: metadata.gateway_runtime_mode ?? null,
      guardian_enabled: metadata.gateway_guardian_enabled === 'true',
      recovery_driver: metadata.gateway_recovery_driver ?? 'none',
      registration_refresh_mode: refreshModes[source],
    },
    instance_status: instanceStatus(instance),
    dispatch: dispatch(metadata),
    pool: {
      ...{ capacity, lease_owner, current_job_id, lease_expires_at },
      available: leaseHolder(row, now) === undefined && instance.routable,
    },
    ...(instance.dead && { dead: true }),
    host_execution: hostExecution(instance),
    diagnostics: {
      ...(readiness && { readiness }),
      ...(last_error && {
        last_error: {
          ...{ kind: last_error.kind, message: last_error.message },
          at_unix_secs: Math.floor(last_error.at / 1000),
        },
      }),
      ...(probed_at !== null && { probed_at_unix_secs: Math.floor(probed_at / 1000) }),
    },
  };
}

/** `<dcc_type>@<version>-<short id>`. */
export const displayId = ({ dcc_type, row, instance_short }: Instance): string =>
  `${dcc_type}@${row.version ?? 'unknown'}-${instance_short}`;

function lifecycle({ row }: Instance): Record<string, unknown> {
  const { metadata, pid, host_pid } = row;
  const number = (name: string): number | null => (/^\d+$/.test(metadata[name] ?? '') ? Number(metadata[name]) : null);
  const url = metadata.safe_stop_url ?? null;
  return {
    role: metadata.lifecycle_role ?? 'runtime',
    owner: metadata.lifecycle_owner ?? null,
    session: metadata.lifecycle_session ?? null,
    pid,
    service_pid: number('service_pid') ?? pid,
    host_pid,
    dcc_pid: number('dcc_pid') ?? host_pid,
    host_bound: metadata.dcc_mcp_instance_type === 'gui' || host_pid !== null,
    instance_type: metadata.dcc_mcp_instance_type ?? null,
    sidecar_pid: number('sidecar_pid'),
    supports_safe_stop: url !== null,
    safe_stop_url: url,
    safe_stop_method: 'POST',
    restartable: metadata.restart_command !== undefined,
    restart_command: metadata.restart_command ?? null,
    launch_command: metadata.launch_command ?? null,
    install_root: metadata.install_root ?? null,
  };
}

function dispatch(metadata: Readonly<Record<string, string>>): Record<string, unknown> {
  const reported = metadata.dispatch_status !== undefined;
  const readyAt = Number(metadata.dispatch_ready_at_unix);
  return {
    reported,
    status: metadata.dispatch_status ?? 'not_reported',
    ready: reported ? dispatchOf(metadata) === 'ready' : null,
    ready_at_unix: metadata.dispatch_ready_at_unix !== undefined && Number.isFinite(readyAt) ? readyAt : null,
    host_rpc_uri: metadata.host_rpc_uri ?? null,
    host_rpc_scheme: metadata.host_rpc_uri?.split(':')[0] ?? null,
    failure_stage: metadata.dispatch_failure_stage ?? null,
    failure_reason: metadata.dispatch_failure_reason ?? null,
  };
}

function hostExecution({ probe, row }: Instance): Record<string, unknown> {
  const { readiness } = probe;
  const missing = readiness === null ? [] : executionBits.filter(bit => !readiness[bit]);
  return {
    status: readiness === null ? 'unknown' : missing.length === 0 ? 'ready' : 'not_ready',
    missing_bits: missing,
    uses_sidecar_dispatch: isSidecar(row),
  };
}
