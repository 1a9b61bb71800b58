/** The official clients at a gateway: one with a session, one of the sessionless revision. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as ClassicClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as ClassicTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import type { Json } from './support.ts';

export type Era = 'with sessions' | 'sessionless';
export const eras: readonly Era[] = ['with sessions', 'sessionless'];

export interface Agent {
  /** The result of a tool of the gateway. */
  use(name: string, args?: Json, meta?: Json): Promise<Json>;
  /** The same, as far as a model reads it: the JSON of its first text. */
  read(name: string, args?: Json): Promise<Json>;
}

export async function agentOf(era: Era, url: string): Promise<Agent> {
  const info = { name: 'agent', version: '1' };
  const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const client = era === 'sessionless' ? new ModernClient(info, pinned) : new ClassicClient(info);
  const transport = era === 'sessionless' ? ModernTransport : ClassicTransport;
  await client.connect(new transport(new URL(url)) as never);
  onTestFinished(() => client.close());
  // Every member is looked at: agents get the compact form otherwise.
  const use: Agent['use'] = async (name, args = {}, meta = {}) =>
    (await client.callTool({ name, arguments: args, _meta: { response_format: 'json', ...meta } })) as Json;
  return {
    use,
    async read(name, args) {
      const { content } = await use(name, args);
      return JSON.parse(String((content as Json[])[0]?.text)) as Json;
    },
  };
}
