/** GET /v1/readyz of the gateway: itself and what it knows of its instances (shape:health). */
import { type Json, objectOf } from '../../../schemas/loose.ts';
import { missingBits } from '../../../schemas/readiness.ts';
import type { Instance, InstancesService } from '../../instances/api.ts';
import type { Settings } from './config.ts';

export function createReadiness(instances: Pick<InstancesService, 'list' | 'toRow'>, config: Settings) {
  return (): Json => {
    const known = instances.list().map(each => ({ instance: each, row: instances.toRow(each) }));
    const live = known.filter(each => each.instance.routable);
    const rows = live.map(each => each.row);
    const ready = live.filter(({ instance }) => isReady(instance)).length;
    const dispatches = rows.map(row => objectOf(row.dispatch)).filter(each => each.reported === true);
    const dispatchReady = dispatches.filter(each => each.ready === true).length;
    const gateways = rows.map(row => objectOf(row.gateway));
    const guarded = gateways.filter(each => each.guardian_enabled === true).length;
    return {
      ok: true,
      checks: [{ name: 'gateway', ok: true }],
      live_instance_count: live.length,
      ready_instance_count: ready,
      not_ready_instance_count: live.length - ready,
      dispatch_reported_instance_count: dispatches.length,
      dispatch_ready_instance_count: dispatchReady,
      dispatch_not_ready_instance_count: dispatches.length - dispatchReady,
      gateway_recovery_driver_counts: countsOf(gateways, 'recovery_driver'),
      registration_refresh_mode_counts: countsOf(gateways, 'registration_refresh_mode'),
      gateway_daemon_guardian_instance_count: guarded,
      gateway_daemon_guardian_ready: guarded > 0,
      gateway_lifecycle: { persist: config.gateway_persist, idle_timeout_secs: config.gateway_idle_timeout_secs },
      instances: known.map(({ instance, row }) => ({
        ...picked(row, ['instance_id', 'instance_short', 'display_id', 'dcc_type', 'status', 'mcp_url']),
        readiness: instance.probe.readiness,
        ...picked(row, ['dispatch', 'gateway', 'lifecycle']),
      })),
    };
  };
}

/** Said so by its probe; one that has not been probed yet is taken at its word. */
const isReady = ({ probe: { readiness } }: Instance): boolean => !readiness || missingBits(readiness).length === 0;

function countsOf(rows: readonly Json[], member: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const name = typeof row[member] === 'string' ? row[member] : 'unknown';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const picked = (row: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, row[name] ?? null]));
