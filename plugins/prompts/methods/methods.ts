/** The `prompts/*` methods of MCP. */
import { pageOf, type Rpc, type RpcContext, rpcErrors, type Scope } from '../../../kernel/index.ts';
import { patienceMs } from '../../../schemas/asking.ts';
import type { PromptCaller, PromptSource } from './api.ts';

const pageSize = 100;

export interface PromptMethodDeps {
  rpc: Rpc;
  scope: Scope;
  source: Pick<PromptSource, 'list' | 'render'>;
}

export function addPromptMethods({ rpc, scope, source }: PromptMethodDeps): void {
  const list = rpc.method('prompts/list', async ({ cursor }) => {
    const { items, nextCursor } = pageOf(await source.list(), cursor, pageSize);
    return { prompts: items, ...(nextCursor && { nextCursor }) };
  });
  const get = rpc.method('prompts/get', async ({ name, arguments: args = {} }, context) => {
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" is required and must be a string', field: 'name' });
    }
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object', field: 'arguments' });
    }
    return source.render(name, args as Record<string, unknown>, callerOf(context));
  });
  scope.add('prompts/list', list);
  scope.add('prompts/get', get);
}

const callerOf = (context: RpcContext): PromptCaller => ({
  signal: context.signal,
  capabilities: context.clientCapabilities,
  ask: (method, params = {}, { key, timeoutMs = patienceMs, signal } = {}) => {
    const off = signal ? AbortSignal.any([context.signal, signal]) : context.signal;
    return context.request(method, params, timeoutMs, key, off);
  },
});
