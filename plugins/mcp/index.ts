/** The MCP endpoint: POST, GET and DELETE at `endpoint_path`, sessions and event streams. */

import { definePlugin } from '../../kernel/index.ts';
import type {} from '../guard/api.ts';
import type {} from '../telemetry/tracing/api.ts';
import { serveChannels } from './channel/channel.ts';
import { settings } from './config.ts';
import { mcpErrors } from './errors.ts';
import { mcpEvents } from './events.ts';
import { createMcp } from './mcp.ts';
import { addDirectRoutes, addRoutes } from './routes.ts';
import { createMemorySessions } from './sessions/memory-store.ts';
import type { SessionStore } from './sessions/store.ts';

/** The plugin over the store that `open` makes. */
export const mcpOver = (open: () => SessionStore) =>
  definePlugin(
    { name: 'mcp', optional: ['tracing', 'guard'], errors: mcpErrors, config: settings, events: mcpEvents },
    (app, { kernel, config, scope, optional }) => {
      const { service, endpoint, sessions } = createMcp(kernel, config, scope, open(), optional);
      app.decorate('mcp', service);
      addRoutes(app, kernel.config, config.enable_cors, endpoint);
      // CORS headers are made by the router's hooks: with them on, every request goes the long way.
      if (!config.enable_cors) scope.add('direct routes', addDirectRoutes(kernel.front, kernel.config, endpoint));

      const { front, config: own } = kernel;
      const longest = own.max_request_body_bytes;
      scope.add(
        'channels',
        serveChannels({
          ...{ server: app.server, check: front.check, guard: optional.guard, sessions, endpoint, longest },
          backlog: config.sse_client_max_bytes,
        }),
      );

      scope.add(
        'address',
        app.host.start(({ origin }) => ({ mcp_url: `${origin}${kernel.config.endpoint_path}` })),
      );

      app.addHook('preClose', endpoint.drain);
    },
  );

export const mcpPlugin = mcpOver(createMemorySessions);
