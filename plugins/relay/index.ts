/** A relay for servers that nobody can reach, and the tunnels by which they reach it. Neither loads what is the other's. */
import type { Disposer, JsonSchema } from '../../kernel/index.ts';
import { definePlugin } from '../../kernel/index.ts';
import { originOf } from '../../schemas/address.ts';
import { RegisterTunnelSchema, tunnelDoor } from '../../schemas/tunnel.ts';
import type {} from '../instances/registry/api.ts';
import type {} from './api.ts';
import { settings } from './config.ts';
import { relayErrors } from './errors.ts';
import { settings as tunnelSettings } from './tunnel-config.ts';

/** The relay: `/connect` for tunnels, `/tunnels` for who wants to know them, `/tunnel/{tunnel_id}/…` for who calls. */
export const relayPlugin = definePlugin(
  { name: 'relay', dependencies: ['listener', 'guard'], config: settings, errors: relayErrors },
  async (app, { kernel, config, scope, log }) => {
    const { createRelay } = await import('./relay.ts');
    const shortcuts = new Map<string, Disposer>();
    const relay = createRelay({
      ...{ settings: config, log, now: kernel.ids.now },
      problems: kernel.schemas.compile(RegisterTunnelSchema as unknown as JsonSchema, 'own'),
      maxBodyBytes: kernel.config.max_request_body_bytes,
      publicUrl() {
        if (config.relay_public_url !== null) return config.relay_public_url.replace(/\/+$/, '');
        const address = app.server.address();
        const port = typeof address === 'object' && address !== null ? address.port : kernel.config.port;
        return originOf({ host: kernel.config.host, port });
      },
      added({ about: { tunnel_id } }) {
        const serve = relay.pass.bind(undefined, tunnel_id, '/mcp');
        shortcuts.set(tunnel_id, kernel.front.direct('POST', `/tunnel/${tunnel_id}/mcp`, serve));
      },
      removed({ about: { tunnel_id } }) {
        void shortcuts.get(tunnel_id)?.();
        shortcuts.delete(tunnel_id);
      },
    });
    app.server.on('upgrade', relay.upgrade);
    // Before anybody waits for what is under way: a tunnel is never done by itself.
    app.addHook('preClose', async () => relay.close());
    scope.add('shortcuts', () => {
      for (const remove of shortcuts.values()) void remove();
    });

    const about = (operationId: string, summary: string) => ({ schema: { operationId, summary } });
    app.get('/health', about('health', 'Health'), async () => ({ ok: true, service: 'svc-relay', product: 'svc' }));
    app.get('/tunnels', about('tunnels', 'Tunnels that are connected'), async () => ({ tunnels: relay.list() }));
    app.get(tunnelDoor, about('connect', 'Where tunnels connect by WebSocket'), async (_request, reply) => {
      reply.header('Upgrade', 'websocket');
      throw relayErrors.NOT_A_TUNNEL();
    });
    app.decorate('relay', { list: relay.list });
    app.register(async routes => {
      // Bodies are passed on, not read.
      routes.removeAllContentTypeParsers();
      routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
      routes.setChildLoggerFactory(logger => logger);
      routes.route<{ Params: { id: string } }>({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url: '/tunnel/:id/*',
        exposeHeadRoute: false,
        handler(request, reply) {
          reply.hijack();
          const { id } = request.params;
          const path = request.raw.url?.slice(`/tunnel/${id}`.length) ?? '/';
          relay.pass(id, path, request.raw, reply.raw);
        },
      });
    });
  },
);

/** A tunnel: a process that dials out to a relay, for a server on this side. */
export const tunnelPlugin = definePlugin(
  { name: 'tunnel', dependencies: ['registry'], config: tunnelSettings, errors: relayErrors },
  async (app, { kernel, config, scope, log }) => {
    const { createTunnelOf } = await import('./own-tunnel.ts');
    app.decorate('tunnel', {
      open(onState = () => undefined) {
        const { registry } = app;
        const tunnel = createTunnelOf({ config, registry, instance_id: kernel.ids.uuid(), onState, log });
        scope.add('tunnel', tunnel.close);
        return tunnel.open();
      },
    });
  },
);
