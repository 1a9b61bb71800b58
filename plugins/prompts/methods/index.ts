/** MCP's prompts capability over whatever prompts this server has: those of its skills, or those of its instances. */
import { createScope, definePlugin } from '../../../kernel/index.ts';
import type { PromptMethodsService } from './api.ts';
import { promptMethodsEvents } from './events.ts';
import { addPromptMethods } from './methods.ts';

export const promptMethodsPlugin = definePlugin(
  { name: 'prompt-methods', dependencies: ['mcp'], events: promptMethodsEvents },
  (app, { kernel, scope: own }) => {
    const { mcp } = app;
    const tell = (): void => mcp.broadcast('notifications/prompts/list_changed');
    own.add('prompts.list_changed', kernel.bus.on('prompts.list_changed', tell));
    const service: PromptMethodsService = {
      serve(source) {
        const scope = createScope('prompts');
        addPromptMethods({ rpc: kernel.rpc, scope, source });
        scope.add('capability', mcp.capability('prompts', { listChanged: true }));
        scope.add(
          'completion',
          mcp.completion('ref/prompt', ({ ref, argument }) => source.complete(String(ref.name), argument)),
        );
        return () => scope.dispose();
      },
      changed: () => void kernel.bus.emit('prompts.list_changed'),
    };
    app.decorate('promptMethods', service);
  },
);
