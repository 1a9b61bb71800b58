/** A real gateway in front of real instances, all in this process, in a registry of their own. */
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Environment, Plugin } from '../../../kernel/index.ts';
import type { Backend } from '../../../plugins/gateway/backends/api.ts';
import {
  createServer,
  gatewayPlugins,
  orderPlugins,
  type Server,
  type ServerOptions,
  type Service,
  type ToolDefinition,
} from '../../../plugins/index.ts';
import { listeningApp, tempDir, waitFor } from '../../helper.ts';

export type Handler = NonNullable<Parameters<Server['registerTool']>[1]>;

export interface InstanceInput {
  dcc_type: string;
  tools?: readonly { definition: ToolDefinition; handler: Handler }[];
  options?: ServerOptions;
  env?: Environment;
  /** Before the start. */
  setup?(server: Server): void | Promise<void>;
}

export interface RunningInstance {
  server: Server;
  service: Service;
  id: string;
  /** First 8 digits of the id. */
  id8: string;
}

export interface TestGateway {
  app: FastifyInstance;
  /** `http://127.0.0.1:port` of the gateway. */
  url: string;
  registry_dir: string;
  /** The backend of an instance, once the directory has it. */
  backend(instance_id: string): Promise<Backend>;
}

export interface GatewayRig extends TestGateway {
  registry: string;
  instances: RunningInstance[];
  /** Starts one more instance and waits until the gateway has it. */
  add(input: InstanceInput): Promise<RunningInstance>;
}

/** Options of every instance of these tests. */
export const instanceOptions = (registry_dir: string, dcc_type: string): ServerOptions => ({
  port: 0,
  gateway_port: 0,
  spawn_mode: 'ambient',
  log_level: 'silent',
  bundled_skills: false,
  watch_skills: false,
  shutdown_grace_ms: 1000,
  heartbeat_secs: 1,
  registry_dir,
  dcc_type,
});

/** An instance that registers in `registry`; shut down when the test ends. */
export async function startInstance(registry: string, input: InstanceInput): Promise<RunningInstance> {
  const { dcc_type, tools = [], options = {}, env = {}, setup } = input;
  const server = createServer({ ...instanceOptions(registry, dcc_type), ...options }, { env });
  onTestFinished(() => server.close());
  for (const { definition, handler } of tools) await server.registerTool(definition, handler);
  await setup?.(server);
  const service = await server.start();
  const id = String(service.instance_id);
  return { server, service, id, id8: id.replaceAll('-', '').slice(0, 8) };
}

/** A gateway of `plugins`, and of those that they depend on, over a registry. */
export async function startGateway(plugins: readonly Plugin[], options: ServerOptions = {}): Promise<TestGateway> {
  const registry_dir = options.registry_dir ?? (await tempDir('svc-registry-'));
  const { app, url } = await listeningApp(await closureOf(plugins), {
    ...{ heartbeat_secs: 1, gateway_port: 0, registry_dir },
    ...options,
  });
  const backend = (instance_id: string): Promise<Backend> =>
    waitFor(async () => {
      await app.instances.refresh();
      return app.backends.list().find(each => each.instance_id === instance_id);
    }, `the backend of ${instance_id}`);
  return { app, url, registry_dir, backend };
}

/** What is not given is taken from the gateway's own list. */
async function closureOf(plugins: readonly Plugin[]): Promise<Plugin[]> {
  const found = new Map(plugins.map(each => [each.name, each]));
  for (const { dependencies } of found.values()) {
    for (const name of dependencies) {
      const source = found.has(name) ? undefined : gatewayPlugins.find(each => each.name === name);
      if (source) found.set(name, await source.load());
    }
  }
  return orderPlugins([...found.values()]);
}

/** A gateway of `plugins` (dependencies included) with `inputs` behind it, ready when it knows them all. */
export async function gatewayRig(
  plugins: readonly Plugin[],
  inputs: readonly InstanceInput[],
  options: ServerOptions = {},
): Promise<GatewayRig> {
  const registry = await tempDir('svc-registry-');
  const instances: RunningInstance[] = [];
  for (const input of inputs) instances.push(await startInstance(registry, input));
  const gateway = await startGateway(plugins, { registry_dir: registry, ...options });
  for (const { id } of instances) await gateway.backend(id);
  return {
    ...{ ...gateway, registry, instances },
    async add(input) {
      const made = await startInstance(registry, input);
      instances.push(made);
      await gateway.backend(made.id);
      return made;
    },
  };
}
