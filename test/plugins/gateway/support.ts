/** A real gateway in front of real servers, all on sockets of this machine and in one registry of their own. */
import { join } from 'node:path';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import type { Server, ServerOptions } from '../../../plugins/index.ts';
import { tempDir } from '../../helper.ts';
import { type ConnectOptions, connect, type Json } from '../../spec/wire.ts';
import { raw } from '../rest/support.ts';
import { type Files, writeFiles } from '../skills/support.ts';
import { startGateway, startInstance } from './rig.ts';

export { type Json, raw };

export interface HostInput {
  dcc_type?: string;
  /** Skill packages by folder. */
  packages?: Record<string, Files>;
  options?: ServerOptions;
  /** Registers tools and the like before the start. */
  setup?(server: Server): void;
}

export interface Host {
  server: Server;
  /** Of the instance. */
  id: string;
  short: string;
  url: string;
}

/** A running server whose row is in `registry_dir`. */
export async function startHost(registry_dir: string, input: HostInput = {}): Promise<Host> {
  const { dcc_type = 'maya', packages = {}, options = {}, setup } = input;
  const skills = await tempDir();
  for (const [name, files] of Object.entries(packages)) await writeFiles(join(skills, name), files);
  const cache_dir = await tempDir();
  const { server, service, id, id8 } = await startInstance(registry_dir, {
    dcc_type,
    options: { skill_paths: [skills], cache_dir, dcc_version: '2026', ...options },
    ...(setup && { setup }),
  });
  return { server, id, short: id8, url: service.mcpUrl().replace(/\/mcp$/, '') };
}

/** A gateway over a fresh registry with `hosts` in it, its index up to date. */
export async function gatewayOver(hosts: readonly HostInput[] = [], options: ServerOptions = {}) {
  const registry_dir = await tempDir();
  const started: Host[] = [];
  for (const host of hosts) started.push(await startHost(registry_dir, host));
  const { app, url, backend } = await startGateway([gatewayRestPlugin], { registry_dir, ...options });
  for (const { id } of started) await backend(id);
  await app.capabilities.refresh();

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    raw(url, `/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  /** Sends a next_step over REST as it stands. */
  const follow = (step: unknown) => {
    const { method, path, body } = (step as { rest: { method: string; path: string; body: Json } }).rest;
    return raw(url, path, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
  };
  const client = (options: ConnectOptions = {}) => connect(`${url}/mcp`, options);
  return { app, url, registry_dir, hosts: started, post, follow, client };
}

/** A tool that echoes, one that fails, one that runs as a job. */
export function toolsOfHost(server: Server): void {
  const properties = { text: { type: 'string' } };
  server.registerTool(
    {
      name: 'echo',
      description: 'Echoes a text.',
      input_schema: { type: 'object', properties, required: ['text'], additionalProperties: false },
      annotations: { read_only_hint: true, destructive_hint: false, idempotent_hint: true, open_world_hint: false },
    },
    args => args,
  );
  server.registerTool({ name: 'fails', description: 'Reports a failure.' }, () => ({
    success: false,
    message: 'no luck',
  }));
  server.registerTool({ name: 'throws', description: 'Throws.' }, () => {
    throw new Error('it broke');
  });
  server.registerTool({ name: 'dies', description: 'Tells of the death of its host.' }, () => ({
    content: [{ type: 'text', text: 'the host died' }],
    structuredContent: { kind: 'host-died', message: 'the host died' },
    isError: true,
  }));
  server.registerTool(
    { name: 'render', description: 'Renders in the background.', execution: 'async' },
    async (args: Json) => {
      await new Promise(resolve => setTimeout(resolve, Number(args.ms ?? 20)));
      if (args.fail) throw new Error('no film');
      return { frames: 3 };
    },
  );
}
