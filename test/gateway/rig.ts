/** A real gateway in front of real instances, all in this process, in a registry of their own. */
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Plugin } from '../../kernel/index.ts';
import {
  createServer,
  type Server,
  type ServerOptions,
  type Service,
  type ToolDefinition,
} from '../../plugins/index.ts';
import { orderPlugins } from '../../plugins/selection.ts';
import { listeningApp, tempDir, waitFor } from '../helper.ts';

export type Handler = NonNullable<Parameters<Server['registerTool']>[1]>;

export interface InstanceInput {
  dcc_type: string;
  tools?: readonly { definition: ToolDefinition; handler: Handler }[];
  options?: ServerOptions;
}

export interface RunningInstance {
  server: Server;
  service: Service;
  id: string;
  /** First 8 digits of the id. */
  id8: string;
}

export interface GatewayRig {
  app: FastifyInstance;
  /** `http://127.0.0.1:port` of the gateway. */
  url: string;
  registry: string;
  instances: RunningInstance[];
  /** Starts one more instance and waits until the gateway has it. */
  add(input: InstanceInput): Promise<RunningInstance>;
}

/** An instance that registers in `registry`; shut down when the test ends. */
export async function startInstance(registry: string, input: InstanceInput): Promise<RunningInstance> {
  const { dcc_type, tools = [], options = {} } = input;
  const server = createServer({
    spawn_mode: 'ambient',
    gateway_port: 0,
    registry_dir: registry,
    dcc_type,
    bundled_skills: false,
    watch_skills: false,
    log_level: 'silent',
    ...options,
  });
  onTestFinished(() => server.close());
  for (const { definition, handler } of tools) await server.registerTool(definition, handler);
  const service = await server.start();
  const id = String(service.instance_id);
  return { server, service, id, id8: id.replaceAll('-', '').slice(0, 8) };
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
  const { app, url } = await listeningApp(orderPlugins(plugins), {
    registry_dir: registry,
    gateway_port: 0,
    ...options,
  });
  const known = (id: string) => app.instances.live().some(each => each.instance_id === id);
  const appears = (each: RunningInstance) =>
    waitFor(async () => {
      await app.instances.refresh();
      return known(each.id);
    }, `instance ${each.id8} behind the gateway`);
  for (const each of instances) await appears(each);
  return {
    ...{ app, url, registry, instances },
    async add(input) {
      const made = await startInstance(registry, input);
      instances.push(made);
      await appears(made);
      return made;
    },
  };
}
