/** The gateway's own row in the registry: who serves it, since when, and under which rules. */
import type { Disposer } from '../../../kernel/index.ts';
import type { InstanceInput, PublishedRow, RegistryService } from '../../instances/registry/api.ts';

/** The type of row that stands for a gateway, not for a server. */
export const gatewayType = '__gateway__';

export interface SentinelInput {
  instance_id: string;
  host: string;
  port: number;
  origin: string;
  endpoint_path: string;
  name: string | null;
  version: string;
  executable: string;
  persist: boolean;
  idle_timeout_secs: number;
  heartbeat_secs: number;
}

export interface Sentinel {
  shuttingDown(): Promise<void>;
  remove: Disposer;
}

/** Publishes the row and keeps its heartbeat; rejects when the registry cannot be written. */
export async function publishSentinel(registry: RegistryService, input: SentinelInput): Promise<Sentinel> {
  await removeDead(registry);
  const row = await registry.publish(rowOf(input));
  const timer =
    input.heartbeat_secs > 0 ? setInterval(() => beat(row), input.heartbeat_secs * 1000).unref() : undefined;
  return {
    shuttingDown: () => row.update({ status: 'shutting_down' }),
    async remove() {
      clearInterval(timer);
      await row.remove();
    },
  };
}

/** Rows of gateways that were killed: nobody else takes them away. */
async function removeDead(registry: RegistryService): Promise<void> {
  const { rows } = await registry.read();
  const dead = rows.filter(({ row, alive }) => row.dcc_type === gatewayType && alive === false);
  await Promise.all(dead.map(({ row }) => registry.remove(row.instance_id)));
}

function beat(row: PublishedRow): void {
  // A directory that cannot be written now may be writable at the next beat.
  row.heartbeat().catch(() => undefined);
}

function rowOf(input: SentinelInput): InstanceInput {
  const { instance_id, host, port, origin } = input;
  return {
    instance_id,
    dcc_type: gatewayType,
    host,
    port,
    version: input.version,
    display_name: input.name,
    metadata: {
      dcc_mcp_role: 'gateway-sentinel',
      gateway_role: 'active',
      gateway_process_pid: String(process.pid),
      gateway_health_url: `${origin}/health`,
      gateway_mcp_url: `${origin}${input.endpoint_path}`,
      gateway_process_exe: input.executable,
      gateway_started_at_unix: String(Date.now() / 1000),
      gateway_persist: String(input.persist),
      gateway_idle_timeout_secs: String(input.idle_timeout_secs),
      ...(input.name === null ? {} : { gateway_name: input.name }),
    },
  };
}
