/** One machine for the test of kinds: a gateway, a stricter one, and servers that can be driven into every refusal. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServer,
  definePlugin,
  openGateway,
  type Plugin,
  type RegistrationChanges,
  type Server,
  type ServerOptions,
} from '../../../../plugins/index.ts';
import { bundled } from '../../../bundled.ts';
import { testEnv } from '../../../environment.ts';
import { testConfig, waitFor } from '../../../helper.ts';
import { type Json, raw } from '../../rest/support.ts';
import { type Files, writeFiles } from '../../skills/support.ts';

export interface HostInput {
  dcc_type: string;
  packages?: Record<string, Files>;
  options?: ServerOptions;
  /** Registers tools and the like before the start. */
  setup?(server: Server): unknown;
  /** Whether the host application is ready for calls; it is, unless this says otherwise. */
  ready?: () => boolean;
}

export interface Host {
  server: Server;
  id: string;
  short: string;
  url: string;
  /** What the adapter says of its instance. */
  say(changes: RegistrationChanges): Promise<void>;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const quiet: ServerOptions = {
  ...{ spawn_mode: 'ambient', gateway_port: 0, port: 0, log_level: 'silent', bundled_skills: false },
  ...{ watch_skills: false, heartbeat_secs: 1, shutdown_grace_ms: 1000 },
};

/** What an adapter adds to its server: the readiness of its host, and words about the instance. */
function adapter(ready: () => boolean, onRegistration: (say: Host['say']) => void): Plugin {
  return definePlugin({ name: 'test-adapter', dependencies: ['health', 'registration'] }, (app, { scope }) => {
    scope.add('readiness of the host', app.health.ready('dcc', ready));
    onRegistration(app.registration.update);
  });
}

export async function openWorld() {
  const disposers: (() => unknown)[] = [];
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'svc-kinds-'));
    disposers.push(() => rm(path, { recursive: true, force: true }));
    return path;
  };
  const registry_dir = await folder();

  const gateway = async (options: ServerOptions = {}) => {
    const config = testConfig({ ...quiet, registry_dir, ...options });
    const open = await openGateway({ config, env: testEnv, standalone: false });
    disposers.push(open.close);
    return open;
  };

  const host = async ({ dcc_type, packages = {}, options = {}, setup, ready = () => true }: HostInput) => {
    const [skills, cache_dir] = [await folder(), await folder()];
    for (const [name, files] of Object.entries(packages)) await writeFiles(join(skills, name), files);
    let say: Host['say'] = async () => undefined;
    const server = createServer(
      { ...quiet, registry_dir, dcc_type, skill_paths: [skills], cache_dir, ...options },
      {
        env: { ...testEnv, PATH: process.env.PATH },
        add: [
          adapter(ready, found => {
            say = found;
          }),
        ],
      },
    );
    disposers.push(() => server.close());
    await setup?.(server);
    const service = await server.start();
    const id = String(service.instance_id);
    return { server, id, short: id.slice(0, 8), url: service.mcpUrl().replace(/\/mcp$/, ''), say } satisfies Host;
  };

  /** A server in a process of its own, to be killed; it has the tools of `instance-process.ts`. */
  const processOf = async (dcc_type: string): Promise<{ child: ChildProcess; id: string; short: string }> => {
    const child = fork(
      await bundled('test/plugins/gateway/backends/instance-process.ts'),
      [JSON.stringify({ ...quiet, registry_dir, dcc_type })],
      {
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    disposers.push(() => child.kill('SIGKILL'));
    const [{ instance_id }] = (await once(child, 'message')) as [{ instance_id: string }];
    return { child, id: instance_id, short: instance_id.slice(0, 8) };
  };

  const { origin: url } = await gateway();

  /** Waits until the gateway offers `tool` of an instance. */
  const offered = (tool_slug: string, at = url) =>
    waitFor(async () => (await post(at, 'describe', { tool_slug })).status === 200, `${tool_slug} behind the gateway`);

  return {
    ...{ url, registry_dir, host, processOf, offered, folder },
    defer: (disposer: () => unknown) => void disposers.push(disposer),
    /** Registers a server that is no file of this machine's registry, as it would do itself. */
    async register(instance_id: string, mcp_url: string, more: Json = {}, at = url): Promise<void> {
      const answer = await post(at, 'instances/register', { instance_id, dcc_type: 'odd', mcp_url, ...more });
      if (answer.status !== 200) throw new Error(answer.text);
    },
    /** Runs `work` with a second gateway over the same registry. */
    async throughAnother<T>(options: ServerOptions, work: (url: string) => Promise<T>): Promise<T> {
      const another = await gateway(options);
      return work(another.origin).finally(another.close);
    },
    async close(): Promise<void> {
      for (const dispose of disposers.reverse()) await dispose();
    },
  };
}

/** The id of every request of this test. */
export const requestId = 'kinds-1';

export const post = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  raw(url, `/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-request-id': requestId, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export const get = (url: string, path: string) =>
  raw(url, path, { headers: { accept: 'application/json', 'x-request-id': requestId } });
