/** A gateway and instances for tests: real servers on real sockets, in this process or as processes to kill. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Backend } from '../../../plugins/backends/api.ts';
import { backendsPlugin } from '../../../plugins/backends/index.ts';
import { gatewayEventsPlugin } from '../../../plugins/gateway-events/index.ts';
import { gatewayHealthPlugin } from '../../../plugins/health/index.ts';
import { createServer, type Server, type Service } from '../../../plugins/index.ts';
import { instancesPlugin } from '../../../plugins/instances/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { proxyPlugin } from '../../../plugins/proxy/index.ts';
import { registryPlugin } from '../../../plugins/registry/index.ts';
import type { InstanceRow } from '../../../schemas/instance.ts';
import type { ServerOptions } from '../../../schemas/server-config.ts';
import { listeningApp, tempDir, waitFor } from '../../helper.ts';

const gatewayPlugins = [
  gatewayHealthPlugin,
  mcpPlugin,
  registryPlugin,
  gatewayEventsPlugin,
  instancesPlugin,
  backendsPlugin,
  proxyPlugin,
];

export interface TestGateway {
  app: FastifyInstance;
  url: string;
  registry_dir: string;
  /** The backend of an instance, once the directory has it. */
  backend(instance_id: string): Promise<Backend>;
}

export async function startGateway(options: ServerOptions = {}): Promise<TestGateway> {
  const registry_dir = options.registry_dir ?? (await tempDir());
  const { app, url } = await listeningApp(gatewayPlugins, { heartbeat_secs: 1, registry_dir, ...options });
  const backend = (instance_id: string): Promise<Backend> =>
    waitFor(async () => {
      await app.instances.refresh();
      return app.backends.list().find(each => each.instance_id === instance_id);
    }, `the backend of ${instance_id}`);
  return { app, url, registry_dir, backend };
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

export interface TestInstance {
  server: Server;
  service: Service;
  instance_id: string;
}

/** An instance with the tools `echo`, `wait` (until cancelled, at most `ms`) and `step` (reports progress). */
export async function startInstance(
  { registry_dir }: TestGateway,
  dcc_type = 'maya',
  options: ServerOptions = {},
): Promise<TestInstance> {
  const server = createServer({ ...instanceOptions(registry_dir, dcc_type), ...options }, { env: {} });
  onTestFinished(() => server.close());
  await addTools(server);
  const service = await server.start();
  return { server, service, instance_id: service.instance_id as string };
}

export async function addTools(server: Server): Promise<void> {
  await server.registerTool({ name: 'echo', description: 'Echoes.' }, args => args);
  await server.registerTool({ name: 'pid', description: 'Tells its process.' }, () => ({ pid: process.pid }));
  await server.registerTool({ name: 'wait', description: 'Waits.' }, async ({ ms = 0 }) => {
    await new Promise(resolve => setTimeout(resolve, Number(ms)));
    return { waited: ms };
  });
}

/** An instance in a process of its own, which a test may kill. */
export async function spawnInstance(
  { registry_dir }: TestGateway,
  dcc_type = 'maya',
  options: ServerOptions = {},
): Promise<{ child: ChildProcess; instance_id: string }> {
  const file = fileURLToPath(new URL('./instance-process.ts', import.meta.url));
  const child = fork(file, [JSON.stringify({ ...instanceOptions(registry_dir, dcc_type), ...options })], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ instance_id }] = (await once(child, 'message')) as [{ instance_id: string }];
  return { child, instance_id };
}

let rows = 0;

const ready = JSON.stringify({ process: true, dcc: true, skill_catalog: true, dispatcher: true });

/** Registers a server of any behaviour, but for its readiness, as an instance; it closes with the test. */
export async function startStranger(
  gateway: TestGateway,
  listener: RequestListener,
  { dcc_type = 'odd', ownReadiness = false } = {},
): Promise<{ instance_id: string; port: number }> {
  const server = createHttpServer((request, response) => {
    if (request.url === '/v1/readyz' && !ownReadiness) response.end(ready);
    else listener(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { instance_id: addRow(gateway, port, dcc_type), port };
}

/** Asserts a row for a port of this machine, as a remote host would. */
export function addRow({ app }: TestGateway, port: number, dcc_type: string): string {
  rows += 1;
  const instance_id = `${rows.toString(16).padStart(8, 'a')}-0000-4000-8000-000000000000`;
  const row: InstanceRow = {
    schema_version: 1,
    instance_id,
    dcc_type,
    host: '127.0.0.1',
    port,
    version: null,
    adapter_version: null,
    adapter_dcc: null,
    scene: null,
    documents: [],
    pid: null,
    host_pid: null,
    display_name: null,
    metadata: {},
    extras: {},
    registered_at: 0,
    status: 'available',
    capacity: 1,
    lease_owner: null,
    current_job_id: null,
    lease_expires_at: null,
  };
  app.instances.source('http').assert(row);
  return instance_id;
}
