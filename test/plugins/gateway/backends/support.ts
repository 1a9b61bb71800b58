/** A gateway and instances for tests: real servers on real sockets, in this process or as processes to kill. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { backendsPlugin } from '../../../../plugins/gateway/backends/index.ts';
import { proxyPlugin } from '../../../../plugins/gateway/proxy/index.ts';
import { gatewayHealthPlugin } from '../../../../plugins/health/index.ts';
import type { Server, ServerOptions, Service } from '../../../../plugins/index.ts';
import { bundled } from '../../../bundled.ts';
import { emptyRow } from '../../instances/registry/support.ts';
import {
  instanceOptions,
  startGateway as openGateway,
  startInstance as openInstance,
  type TestGateway,
} from '../rig.ts';
import { addTools } from './instance-tools.ts';

export { instanceOptions, type TestGateway };

export const startGateway = (options: ServerOptions = {}): Promise<TestGateway> =>
  openGateway([gatewayHealthPlugin, backendsPlugin, proxyPlugin], options);

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
  const { id, ...started } = await openInstance(registry_dir, { dcc_type, options, setup: addTools });
  return { ...started, instance_id: id };
}

/** An instance in a process of its own, which a test may kill. */
export async function spawnInstance(
  { registry_dir }: TestGateway,
  dcc_type = 'maya',
  options: ServerOptions = {},
): Promise<{ child: ChildProcess; instance_id: string }> {
  const child = fork(
    await bundled('test/plugins/gateway/backends/instance-process.ts'),
    [JSON.stringify({ ...instanceOptions(registry_dir, dcc_type), ...options })],
    {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ instance_id }] = (await once(child, 'message')) as [{ instance_id: string }];
  return { child, instance_id };
}

let rows = 0;

const ready = JSON.stringify({ process: true, dcc: true, skill_catalog: true, dispatcher: true });

/** Registers a server of any behaviour, but for its readiness, as an instance; it closes with the test. */
export async function startStranger(
  gateway: Pick<TestGateway, 'app'>,
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
export function addRow({ app }: Pick<TestGateway, 'app'>, port: number, dcc_type: string): string {
  rows += 1;
  const instance_id = `${rows.toString(16).padStart(8, 'a')}-0000-4000-8000-000000000000`;
  app.instances.source('http').assert(emptyRow({ instance_id, dcc_type, port }));
  return instance_id;
}
