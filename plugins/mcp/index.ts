/** The MCP endpoint: POST, GET and DELETE at `endpoint_path`, sessions, event streams, and the Host/Origin guard. */
import { definePlugin } from '../../kernel/index.ts';
import { reflectOrigins } from './cors.ts';
import { createGuard } from './guard.ts';
import { createMcp } from './mcp.ts';
import { addDirectRoutes, addRoutes } from './routes.ts';
import { createMemorySessions } from './sessions/memory-store.ts';
import type { SessionStore } from './sessions/store.ts';

/** The plugin over the store that `open` makes. */
export const mcpOver = (open: () => SessionStore) =>
  definePlugin({ name: 'mcp' }, (app, { kernel, config, scope }) => {
    const guard = createGuard(config);
    scope.add(
      'guard',
      kernel.front.guard(({ headers: { host, origin } }) => guard(host, origin)),
    );

    const { service, endpoint } = createMcp(kernel, scope, open());
    app.decorate('mcp', service);
    addRoutes(app, config, endpoint);
    // CORS headers are made by the router's hooks: with them on, every request goes the long way.
    const leave = config.enable_cors ? undefined : addDirectRoutes(kernel.front, config, endpoint);

    scope.add(
      'address',
      app.host.start(({ origin }) => ({ mcp_url: `${origin}${config.endpoint_path}` })),
    );
    if (config.enable_cors) reflectOrigins(app.server, kernel.front.check);

    app.addHook('preClose', async () => {
      await leave?.();
      await endpoint.drain();
    });
  });

export const mcpPlugin = mcpOver(createMemorySessions);
