/** The gateway's own row in the registry: who serves it, since when, and under which rules. */
import type { Disposer } from '../../../kernel/index.ts';
import { hostInUrl } from '../../../schemas/address.ts';
import { gatewayType } from '../../../schemas/gateway-daemon.ts';
import type { InstanceInput, RegistryService } from '../../instances/registry/api.ts';
import type { Settings } from './config.ts';

export interface Sentinel {
  shuttingDown(): Promise<void>;
  remove: Disposer;
}

/** Publishes the row and keeps its heartbeat; rejects when the registry cannot be written. */
export async function publishSentinel(
  registry: RegistryService,
  row: InstanceInput,
  heartbeatSecs: number,
): Promise<Sentinel> {
  await removeDead(registry);
  const published = await registry.publish(row);
  // A directory that cannot be written now may be writable at the next beat.
  const beat = (): void => void published.heartbeat().catch(() => undefined);
  const timer = heartbeatSecs > 0 ? setInterval(beat, heartbeatSecs * 1000).unref() : undefined;
  return {
    shuttingDown: () => published.update({ status: 'shutting_down' }),
    async remove() {
      clearInterval(timer);
      await published.remove();
    },
  };
}

/** Rows of gateways that were killed: nobody else takes them away. */
async function removeDead(registry: RegistryService): Promise<void> {
  const { rows } = await registry.read();
  const dead = rows.filter(({ row, alive }) => row.dcc_type === gatewayType && alive === false);
  await Promise.all(dead.map(({ row }) => registry.remove(row.instance_id)));
}

/** The row of the gateway that this process serves at an address. */
export function sentinelRow(
  own: Pick<InstanceInput, 'instance_id' | 'host' | 'port' | 'version'>,
  endpointPath: string,
  { gateway_name, gateway_persist, gateway_idle_timeout_secs }: Settings,
): InstanceInput {
  const origin = `http://${hostInUrl(own.host)}:${own.port}`;
  return {
    ...own,
    dcc_type: gatewayType,
    display_name: gateway_name,
    metadata: {
      dcc_mcp_role: 'gateway-sentinel',
      gateway_role: 'active',
      gateway_process_pid: String(process.pid),
      gateway_health_url: `${origin}/health`,
      gateway_mcp_url: origin + endpointPath,
      gateway_process_exe: process.execPath,
      gateway_started_at_unix: String(Date.now() / 1000),
      gateway_persist: String(gateway_persist),
      gateway_idle_timeout_secs: String(gateway_idle_timeout_secs),
      ...(gateway_name !== null && { gateway_name }),
    },
  };
}
