/** A gateway over the registry of `settings.registry_dir`, as a process of its own; `settings.env` is its environment. */
import type { AddressInfo } from 'node:net';
import { buildApp, type Environment, resolveConfig } from '../../../kernel/index.ts';
import { gatewayPlugins, gatewaySettings } from '../../../plugins/index.ts';
import { serveCommands, settings } from './command.ts';
import { cpu } from './cpu.ts';

const plugins = await Promise.all(gatewayPlugins.map(each => each.load()));
const { env: given, ...options } = settings;
const env = (given ?? {}) as Environment;
const config = resolveConfig({ log_level: 'error', ...options }, env, {}, await gatewaySettings());
const app = buildApp(config, plugins, { env });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

serveCommands(`http://127.0.0.1:${port}`, {
  /** Ids of the instances that may be called, once there are `count` of them and each has been probed. */
  instances: async (count: number) => {
    for (;;) {
      await app.instances.refresh();
      const live = app.backends.list();
      if (live.length >= count && live.every(each => each.ready === true)) return live.map(each => each.instance_id);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  },
  /** Resolves when the index has `count` tools. */
  tools: async (count: number) => {
    while (app.capabilities.size < count) await new Promise(resolve => setTimeout(resolve, 50));
  },
  rss: () => process.memoryUsage().rss,
  cpu,
  /** Asserts a row, as a remote host does with every heartbeat. */
  register: ({ instance_id, port }: { instance_id: string; port: number }) => {
    const row = { schema_version: 1, instance_id, dcc_type: 'noisy', host: '127.0.0.1', port, registered_at: 0 };
    const unset = { version: null, adapter_version: null, adapter_dcc: null, scene: null, display_name: null };
    const free = { pid: null, host_pid: null, lease_owner: null, current_job_id: null, lease_expires_at: null };
    const rest = { documents: [], metadata: {}, extras: {}, status: 'available' as const, capacity: 1 };
    app.instances.source('http').assert({ ...row, ...unset, ...free, ...rest });
  },
  /** Milliseconds of `count` calls through the gateway's own session, one after the other. */
  calls: async ({ instance_id, count, args }: { instance_id: string; count: number; args: string }) => {
    const backend = app.backends.get(instance_id);
    const taken: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const started = performance.now();
      await backend.callRaw('echo', args, undefined);
      taken.push(performance.now() - started);
    }
    return taken;
  },
});
process.on('SIGTERM', () => void app.close().finally(() => process.exit()));
