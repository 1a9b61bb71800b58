/** Publishes the host's tools: the registry sees ordinary handlers, which run wherever the runner says. */

import { kernelErrors, type Scope } from '../../kernel/index.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { ToolHandler, ToolsService } from '../tools/api.ts';
import type { HostRunner, HostToolsService } from './api.ts';

export function createHostTools(tools: ToolsService, runner: HostRunner, scope: Scope): HostToolsService {
  const published = new Set<string>();
  const handlerOf =
    (key: number): ToolHandler =>
    (args, call) =>
      runner.run(key, args, call);

  return {
    register(definition: ToolDefinition, key) {
      const { name } = definition;
      if (published.has(name)) throw kernelErrors.DUPLICATE({ kind: 'host tool', name });
      const entry = { definition, handler: key === undefined ? undefined : handlerOf(key) };
      const withdraw = tools.publish(`host:${name}`, [entry], { source: 'host' });
      published.add(name);
      return scope.add(`tool ${name}`, () => {
        published.delete(name);
        return withdraw();
      });
    },
    attach: (name, key) => scope.add(`handler ${name}`, tools.setHandler(name, handlerOf(key), 'host')),
  };
}
