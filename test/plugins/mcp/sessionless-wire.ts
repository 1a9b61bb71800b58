/** What a client of the sessionless revision sends, and a server with methods for it. */
import type { RpcContext } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { both, call, type Json, mcpServer, stream } from './wire.ts';

const prefix = 'io.modelcontextprotocol/';
export const revision = '2026-07-28';

/** `params._meta` of a request; `own` replaces members, undefined takes one away. */
export const envelope = (own: Json = {}): Json => ({
  [`${prefix}protocolVersion`]: revision,
  [`${prefix}clientInfo`]: { name: 'test', version: '1' },
  [`${prefix}clientCapabilities`]: {},
  ...own,
});

export const capabilities = (declared: Json): Json => ({ [`${prefix}clientCapabilities`]: declared });

export const modern = (id: unknown, method: string, params: Json = {}, own: Json = {}): Json =>
  call(id, method, { ...params, _meta: envelope(own) });

/** The headers that go with a message. */
export function headersOf(message: Json): Record<string, string> {
  const { name, uri } = (message.params ?? {}) as Json;
  const repeated = name ?? uri;
  return {
    accept: both,
    'mcp-protocol-version': revision,
    'mcp-method': String(message.method),
    ...(typeof repeated === 'string' && { 'mcp-name': repeated }),
  };
}

const name = { type: 'object', properties: { name: { type: 'string' } } };

/** A server whose tool `ask` asks as its arguments say, and tells `runs` how often it ran. */
export async function sessionlessServer(options: ServerOptions = {}) {
  const server = await mcpServer(options);
  const runs: RpcContext[] = [];
  const failures: unknown[] = [];
  const question = (context: RpcContext, message: string, key?: string, timeoutMs = 5000) =>
    context.request('elicitation/create', { mode: 'form', message, requestedSchema: name }, timeoutMs, key) as Promise<{
      content: { name: string };
    }>;
  const bodies: Record<string, (context: RpcContext, args: Json) => Promise<string>> = {
    one: async context => `Hello, ${(await question(context, 'Who?', 'user_name')).content.name}`,
    two: async context => {
      const given = await Promise.all([
        question(context, 'Who?'),
        question(context, 'Whose?'),
        context.request('roots/list', {}, 5000),
      ]);
      return JSON.stringify(given);
    },
    rounds: async context => {
      const first = await question(context, 'First?', 'step');
      const second = await question(context, 'Second?', 'step');
      return `${first.content.name} ${second.content.name}`;
    },
    short: async context => (await question(context, 'Quick?', 'quick', 50)).content.name,
    sampling: async context => String(await context.request('sampling/createMessage', { messages: [] }, 5000)),
    foreign: async context => String(await context.request('vendor/question', {}, 5000)),
    wait: context => new Promise((_, reject) => context.onCancel(() => reject(new Error('cancelled')))),
    loose: async context => {
      void question(context, 'Never awaited', 'loose');
      return 'done';
    },
  };
  server.app.kernel.rpc.method('tools/call', async ({ name, arguments: args = {} }, context) => {
    runs.push(context);
    try {
      const text = await bodies[name as string]?.(context, args as Json);
      return { content: [{ type: 'text', text: String(text) }] };
    } catch (error) {
      failures.push(error);
      throw error;
    }
  });
  const send = (message: Json, headers: Record<string, string> = {}) =>
    server.post(message, { ...headersOf(message), ...headers });
  const listen = (filter: Json, id: unknown = 'listen-1') => {
    const message = modern(id, 'subscriptions/listen', { notifications: filter });
    return stream(server.url, headersOf(message), message);
  };
  return { ...server, send, listen, runs, failures };
}
