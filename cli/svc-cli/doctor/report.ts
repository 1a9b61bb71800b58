/** What `svc-cli doctor` tells. Nothing here writes, starts or ends anything. */
import { packageVersion } from '../../../kernel/light.ts';
import { dispatchOf } from '../../../plugins/instances/api.ts';
import {
  inspectRegistry,
  type RegistryInspection,
  registryDirectory,
} from '../../../plugins/instances/registry/api.ts';
import { gatewayType } from '../../../schemas/gateway-daemon.ts';
import { findRunning, type Running, readRecords } from '../../running.ts';
import { lives, runFolder } from '../../state.ts';
import { configuredAddress } from '../gateway.ts';
import type { Check } from './check.ts';
import { daemonCheck, gatewayChecks } from './gateway-checks.ts';
import { clockCheck, directoryCheck, installationCheck, nodeCheck, serverBinary } from './machine.ts';
import { programChecks, recordChecks, storeChecks } from './program-checks.ts';
import { lockCheck, rowChecks } from './registry-checks.ts';

export interface DoctorOptions {
  /** Configuration file of a server that may be down. */
  config?: string | undefined;
  /** The gateway to ask, instead of the configured one. */
  gateway?: string | undefined;
}

export type DoctorReport = Awaited<ReturnType<typeof doctorReport>>;

/** The same checks everywhere, in the order in which things depend on each other. */
export async function doctorReport({ config, gateway }: DoctorOptions = {}) {
  const { settingsCheck, skillChecks } = await import('./settings-checks.ts');
  const { settings, checks: ofSettings } = await settingsCheck(config);
  const registry_dir = settings
    ? registryDirectory(settings.registry_dir)
    : registryDirectory(process.env.SVC_REGISTRY_DIR || null);
  const url = gateway ?? configuredAddress();
  const [running, records, registry] = await Promise.all([
    findRunning({ tidy: false }),
    readRecords(),
    inspectRegistry(registry_dir),
  ]);
  const found = await gatewayChecks(url, running);
  const down = records.filter(each => !lives(each.pid)).flatMap(each => each.job_storage_path ?? []);
  const checks: Check[] = (
    await Promise.all([
      nodeCheck(),
      installationCheck(),
      clockCheck({ now: Date.now(), written: registry.rows.map(each => each.last_heartbeat), other: found.other }),
      ofSettings,
      directoryCheck('registry', registry_dir),
      directoryCheck('state', runFolder()),
      settings?.gateway_audit_dir ? directoryCheck('audit', settings.gateway_audit_dir) : [],
      found.checks,
      daemonCheck(registry_dir, url, found.status),
      lockCheck(registry_dir, settings?.gateway_launch_lock_stale_secs ?? 30),
      rowChecks(registry_dir, registry),
      recordChecks(records),
      storeChecks([...down, ...(settings?.job_storage_path ? [settings.job_storage_path] : [])]),
      settings ? skillChecks(settings, config) : [],
      ...running.map(programChecks),
    ])
  ).flat();
  const level = ['error', 'warning'].find(each => checks.some(check => check.level === each));
  const servers = running.filter(each => each.kind === 'server');
  return {
    status: level ?? 'ok',
    cli: { name: 'svc-cli', version: packageVersion },
    profile: gateway === undefined ? 'local' : 'remote',
    control: controlOf(found.status === 'running', servers.length),
    local: { registry_dir, inventory: inventoryOf(registry_dir, registry, servers) },
    gateway: {
      auto_start_enabled: settings ? settings.ensure_gateway && settings.gateway_port !== 0 : null,
      default_base_url: url ?? null,
      status: found.status,
    },
    server_binary: serverBinary(),
    checks,
  };
}

/** The way that calls take from here, and whether the gateway counts them. */
function controlOf(gateway: boolean, servers: number) {
  const route = gateway ? 'gateway' : servers > 0 ? 'direct' : 'none';
  const hints = {
    gateway: 'svc-cli stats shows what the calls amount to',
    direct: 'svc-server call asks a server itself: no gateway counts such calls',
    none: 'Nothing runs: svc-server serve starts a server, and it the gateway',
  };
  return { route, gateway_stats_recorded: gateway, stats_hint: hints[route] };
}

/** The servers of this machine, and those of them that cannot be called now. */
function inventoryOf(registry_dir: string, { rows, unreadable }: RegistryInspection, servers: readonly Running[]) {
  const own = rows.filter(each => each.row.dcc_type !== gatewayType);
  const alive = own.filter(each => each.alive !== false);
  const not_ready_instances = alive.flatMap(({ row }) => {
    const { instance_id, dcc_type, status, metadata } = row;
    const answers = servers.find(each => each.instance_id === instance_id)?.health;
    const callable = status === 'available' || status === 'busy';
    const dispatch = dispatchOf(metadata);
    const reason = !callable
      ? status
      : dispatch === 'failed' || dispatch === 'pending'
        ? `dispatch_${dispatch}`
        : answers === null
          ? 'does_not_answer'
          : undefined;
    return reason === undefined ? [] : [{ instance_id, dcc_type, reason }];
  });
  const reasons: Record<string, number> = {};
  for (const { reason } of not_ready_instances) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    ok: unreadable.length === 0,
    source: 'file_registry',
    total: alive.length,
    // Doctor removes nothing: rows of the dead that are left out here, and that the next server removes.
    evicted: own.length - alive.length,
    registry_dir,
    direct_control: {
      ready: alive.length - not_ready_instances.length,
      not_ready: not_ready_instances.length,
      reasons,
      not_ready_instances,
    },
  };
}
