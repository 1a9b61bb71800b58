/** A real, small `mcp` plugin and JSON-RPC contexts, so that the tools plugin is tested through the kernel's router. */
import type { FastifyInstance } from 'fastify';
import { definePlugin, type Plugin, type RpcContext, replyText } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { searchPlugin } from '../../../plugins/search/index.ts';
import type { ToolEntry, ToolHandler } from '../../../plugins/tools/api.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import type { ToolDefinition } from '../../../schemas/tool.ts';
import { testApp } from '../../helper.ts';

export interface Sent {
  method: string;
  params: Record<string, unknown>;
}

export interface McpProbe {
  plugin: Plugin;
  broadcasts: Sent[];
  capabilities: Map<string, Record<string, unknown>>;
}

/** The part of the mcp plugin that tools uses: capabilities and broadcasts, without sessions. */
export function mcpProbe(): McpProbe {
  const broadcasts: Sent[] = [];
  const capabilities = new Map<string, Record<string, unknown>>();
  const plugin = definePlugin({ name: 'mcp' }, app => {
    app.decorate('mcp', {
      streams: { limit: 1, maxBytes: 1024 },
      sessions: { size: 0, get: () => undefined, list: () => [], handOn: () => [], adopt: async () => undefined },
      capability(name: string, value: Record<string, unknown>) {
        capabilities.set(name, value);
        return () => void capabilities.delete(name);
      },
      broadcast: (method: string, params: Record<string, unknown> = {}) => void broadcasts.push({ method, params }),
      notify: () => false,
      multicast: () => undefined,
      completion: () => () => undefined,
      listen: () => () => undefined,
      toolSchemas: () => () => undefined,
      extension: () => () => undefined,
      instruct: () => () => undefined,
      greet: () => () => undefined,
      lastWords: () => () => undefined,
    });
  });
  return { plugin, broadcasts, capabilities };
}

export interface Context extends RpcContext {
  /** Notifications that the request sent. */
  sent: Sent[];
  cancel(): void;
}

export interface ContextOptions {
  protocolVersion?: string;
  era?: RpcContext['era'];
  clientCapabilities?: Record<string, unknown>;
  sessionId?: string;
  request?: RpcContext['request'];
}

let lastId = 0;

/** What the mcp plugin hands to a method. */
export function context(app: FastifyInstance, options: ContextOptions = {}): Context {
  const { protocolVersion = '2025-06-18', era = 'session', clientCapabilities = {}, sessionId = 's1' } = options;
  const controller = new AbortController();
  const sent: Sent[] = [];
  lastId += 1;
  return {
    era,
    protocolVersion,
    requestId: lastId,
    session:
      era === 'session'
        ? {
            ...{ id: sessionId, protocolVersion, clientInfo: {}, clientCapabilities, scope: app.kernel.scope },
            request: () => Promise.reject(new Error('this client has no standing stream')),
          }
        : undefined,
    clientInfo: {},
    clientCapabilities,
    signal: controller.signal,
    onCancel: listener =>
      controller.signal.aborted ? listener() : controller.signal.addEventListener('abort', listener),
    notify: (method, params) => void sent.push({ method, params: structuredClone(params) }),
    request: options.request ?? (() => Promise.reject(new Error('this client answers nothing'))),
    sent,
    cancel: () => controller.abort(),
  };
}

export interface Answer {
  result?: Record<string, unknown> & {
    tools?: Record<string, unknown>[];
    nextCursor?: string;
    content?: Record<string, unknown>[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  };
  error?: { code: number; message: string; data: Record<string, unknown> };
}

export interface Rig extends McpProbe {
  app: FastifyInstance;
  /** Sends a request through the router and parses the reply. */
  ask(method: string, params?: Record<string, unknown>, with_?: Context | ContextOptions): Promise<Answer>;
  /** tools/call. */
  call(name: string, args?: Record<string, unknown>, with_?: Context | ContextOptions): Promise<Answer>;
  /** tools/call in 2025-03-26, where a failed call is an error with the specification's number. */
  refused(name: string, args?: Record<string, unknown>, with_?: ContextOptions): Promise<Answer>;
  /** Names of every page of tools/list. */
  names(): Promise<string[]>;
}

/** An application with the tools plugin. */
export async function rig(options: ServerOptions = {}): Promise<Rig> {
  const probe = mcpProbe();
  const app = await testApp([searchPlugin, probe.plugin, toolsPlugin], options);
  const ask: Rig['ask'] = async (method, params = {}, with_ = {}) => {
    const rpc = 'cancel' in with_ ? with_ : context(app, with_);
    const reply = await app.kernel.rpc.dispatch({ jsonrpc: '2.0', id: rpc.requestId, method, params }, rpc);
    if (reply === undefined) throw new Error('no reply');
    return JSON.parse(replyText(reply)) as Answer;
  };
  const call: Rig['call'] = (name, args = {}, with_) => ask('tools/call', { name, arguments: args }, with_);
  return {
    ...probe,
    app,
    ask,
    call,
    refused: (name, args, with_) => call(name, args, { protocolVersion: '2025-03-26', ...with_ }),
    async names() {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { result } = await ask('tools/list', cursor === undefined ? {} : { cursor });
        found.push(...(result?.tools ?? []).map(each => String(each.name)));
        cursor = result?.nextCursor;
      } while (cursor !== undefined);
      return found;
    },
  };
}

/** A tool whose handler returns its arguments. */
export function tool(name: string, more: Partial<ToolDefinition> = {}, handler: ToolHandler = args => args): ToolEntry {
  return { definition: { name, description: `Does ${name}.`, ...more }, handler };
}
