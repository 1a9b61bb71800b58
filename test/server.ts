/** Servers for tests: both spawn modes, with a route that calls tools over a real socket. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../plugins/index.ts';
import { createServer, type Server, type ServerExtra, type Service } from '../plugins/index.ts';
import { testEnv } from './environment.ts';

export const modes = ['ambient', 'dedicated'] as const;
export type Mode = (typeof modes)[number];

export const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

/** The fixture plugin with the route. */
export const callable: Record<string, boolean> = { [fixture('caller.mjs')]: true };

/** What hears the messages of a server that is not in this thread. */
const heard = (mode: Mode): Record<string, boolean> =>
  mode === 'dedicated' ? { [fileURLToPath(new URL('./oracle/plugin.mjs', import.meta.url))]: true } : {};

/** A server in `mode` whose environment is empty; closed when the test ends. */
export function testServer(mode: Mode, options: ServerOptions = {}, extra: ServerExtra = {}): Server {
  const server = createServer(
    { spawn_mode: mode, log_level: 'silent', bundled_skills: false, watch_skills: false, ...options },
    { ...extra, env: { ...testEnv, ...extra.env }, plugins: { ...callable, ...heard(mode), ...extra.plugins } },
  );
  onTestFinished(() => server.close());
  return server;
}

export interface CallAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer under test
  body: any;
}

/** Calls a tool over the wire. */
export async function callTool(
  service: Service,
  name: string,
  args: Record<string, unknown> = {},
  init: RequestInit = {},
): Promise<CallAnswer> {
  const response = await fetch(new URL('/call', service.mcpUrl()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, args, meta: { request_id: 'r1' } }),
    ...init,
  });
  return { status: response.status, body: await response.json() };
}
