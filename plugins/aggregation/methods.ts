/** The `prompts/*` methods of the gateway. */
import { pageOf, type Rpc, rpcErrors, type Scope } from '../../kernel/index.ts';
import type { BackendPrompts } from './backend-prompts.ts';

const pageSize = 100;

export function addPromptMethods(rpc: Rpc, scope: Scope, prompts: BackendPrompts): void {
  const list = rpc.method('prompts/list', async ({ cursor }) => {
    const { items, nextCursor } = pageOf(await prompts.list(), cursor, pageSize);
    return { prompts: items, ...(nextCursor && { nextCursor }) };
  });
  const get = rpc.method('prompts/get', async ({ name, arguments: args = {} }, { signal }) => {
    if (typeof name !== 'string' || name === '') {
      throw rpcErrors.INVALID_PARAMS({ reason: '"name" is required and must be a string', field: 'name' });
    }
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw rpcErrors.INVALID_PARAMS({ reason: '"arguments" must be an object', field: 'arguments' });
    }
    return prompts.render(name, args as Record<string, unknown>, signal);
  });
  scope.add('prompts/list', list);
  scope.add('prompts/get', get);
}
