/** The MCP endpoint: POST, GET and DELETE at `endpoint_path`, sessions, event streams, and the Host/Origin guard. */
import { definePlugin } from '../../kernel/index.ts';
import { createGuard } from './guard.ts';
import { createMcp } from './mcp.ts';
import { addDirectRoutes, addRoutes } from './routes.ts';

/** How long connections may outlive the drain before they are cut, so that a half-sent request cannot hold `close()`. */
const lingerMs = 1000;

export const mcpPlugin = definePlugin({ name: 'mcp' }, (app, { kernel, config, scope }) => {
  const guard = createGuard(config);
  scope.add(
    'guard',
    kernel.front.guard(({ headers: { host, origin } }) => guard(host, origin)),
  );

  const { service, endpoint } = createMcp(kernel, scope);
  app.decorate('mcp', service);
  addRoutes(app, config, endpoint);
  // CORS headers are made by the router's hooks: with them on, every request goes the long way.
  const leave = config.enable_cors ? undefined : addDirectRoutes(kernel.front, config, endpoint);

  app.addHook('preClose', async () => {
    await leave?.();
    await endpoint.drain();
    const cut = setTimeout(() => app.server.closeAllConnections(), lingerMs).unref();
    scope.add('connection cut', () => clearTimeout(cut));
  });
});
