/** The tools plugin: tools/list and tools/call over one table, and the built-in tools that find and switch tools. */

import { definePlugin } from '../../kernel/index.ts';
import type {} from '../telemetry/tracing/api.ts';
import { toolErrors } from './errors.ts';
import './api.ts';
import { settings } from './config.ts';
import { toolsEvents } from './events.ts';
import { callMethod, listMethod } from './methods.ts';
import { createTools } from './service.ts';

export const toolsPlugin = definePlugin(
  {
    ...{ name: 'tools', dependencies: ['mcp', 'search'], optional: ['tracing'] },
    ...{ errors: toolErrors, config: settings, events: toolsEvents },
  },
  (app, { kernel, config, scope, log, optional }) => {
    const { service, listing, pipeline, close } = createTools({
      kernel,
      settings: config,
      log,
      tracing: optional.tracing,
      engine: app.searchEngine,
      announce: () => void kernel.bus.emit('tools.list_changed'),
    });
    scope.add('tools', close);
    const tell = (): void => app.mcp.broadcast('notifications/tools/list_changed');
    scope.add('tools.list_changed', kernel.bus.on('tools.list_changed', tell));
    scope.add('capability tools', app.mcp.capability('tools', { listChanged: true }));
    scope.add(
      'tool schemas',
      app.mcp.toolSchemas(tool => service.get(tool)?.input_schema),
    );
    scope.add('tools/list', kernel.rpc.method('tools/list', listMethod(listing)));
    scope.add('tools/call', kernel.rpc.method('tools/call', callMethod(pipeline)));
    app.decorate('tools', service);
  },
);
