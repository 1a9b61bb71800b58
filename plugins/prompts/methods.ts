/** The `prompts/*` methods of MCP. */
import { pageOf, type Rpc, rpcErrors, type Scope } from '../../kernel/index.ts';
import type { PromptsService } from './api.ts';

/** Prompts per prompts/list page. */
export const promptsPageSize = 100;

export interface PromptMethodDeps {
  rpc: Rpc;
  scope: Scope;
  prompts: Pick<PromptsService, 'list' | 'render' | 'settled'>;
}

/** Both wait for files that are being read: a client that was told of a loaded skill finds its prompts. */
export function addPromptMethods({ rpc, scope, prompts }: PromptMethodDeps): void {
  const list = rpc.method('prompts/list', async ({ cursor }) => {
    await prompts.settled();
    const { items, nextCursor } = pageOf(prompts.list(), cursor, promptsPageSize);
    return { prompts: items, ...(nextCursor && { nextCursor }) };
  });
  const get = rpc.method('prompts/get', async ({ name, arguments: args = {} }) => {
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" is required and must be a string', field: 'name' });
    }
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object', field: 'arguments' });
    }
    await prompts.settled();
    return prompts.render(name, args as Record<string, unknown>);
  });
  scope.add('prompts/list', list);
  scope.add('prompts/get', get);
}
