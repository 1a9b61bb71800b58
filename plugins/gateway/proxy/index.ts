/** `/mcp/{instance_id}` and `/mcp/dcc/{dcc_type}`: the instances' own MCP endpoints under the gateway's address. */

import type { IncomingMessage } from 'node:http';
import { type Disposer, definePlugin } from '../../../kernel/index.ts';
import type {} from '../../guard/api.ts';
import type {} from '../../telemetry/tracing/api.ts';
import type { Backend } from '../backends/api.ts';
import type {} from '../hop-api.ts';
import type {} from './api.ts';
import { proxyErrors } from './errors.ts';
import { createProxy } from './proxy.ts';

export const proxyPlugin = definePlugin(
  {
    name: 'proxy',
    errors: proxyErrors,
    dependencies: ['mcp', 'instances', 'backends'],
    optional: ['tracing', 'guard'],
  },
  (app, { kernel, scope, optional }) => {
    const tellPassed = (request: IncomingMessage, { instance }: Backend): void => {
      const { instance_id, dcc_type, mcp_url: url } = instance;
      const unsaid = { rpc_id: undefined, request_id: undefined, trace_id: undefined, session_id: undefined };
      kernel.bus.emit('internal.hop.begun', {
        attributes: { hop: { request, ...unsaid, instance_id, dcc_type, url }, text: undefined },
      });
    };
    const proxy = createProxy({
      backends: app.backends,
      maxBodyBytes: kernel.config.max_request_body_bytes,
      guard: optional.guard?.on ? optional.guard : undefined,
      tracing: optional.tracing,
      onPassed: () => (kernel.bus.wants('internal.hop.begun') ? tellPassed : undefined),
    });

    app.decorate('proxy', { guard: proxy.guard });
    app.register(async routes => {
      // Bodies are passed on, not read.
      routes.removeAllContentTypeParsers();
      routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
      routes.setChildLoggerFactory(logger => logger);
      for (const [url, pass] of [
        ['/mcp/:to', proxy.toInstance],
        ['/mcp/dcc/:to', proxy.toType],
      ] as const) {
        routes.route<{ Params: { to: string } }>({
          method: ['POST', 'GET', 'DELETE'],
          url,
          exposeHeadRoute: false,
          handler(request, reply) {
            reply.hijack();
            pass(request.params.to, request.raw, reply.raw);
          },
        });
      }
    });

    app.addHook('preClose', async () => proxy.endStreams());

    // The short way around the router for the addresses that exist.
    const shortcuts = new Map<string, Disposer>();
    const refresh = (): void => {
      const wanted = new Set<string>();
      const add = (path: string, serve: Parameters<typeof kernel.front.direct>[2]): void => {
        wanted.add(path);
        if (!shortcuts.has(path)) shortcuts.set(path, kernel.front.direct('POST', path, serve));
      };
      for (const { instance_id, dcc_type } of app.instances.live()) {
        add(`/mcp/${instance_id}`, (request, response) => proxy.toInstance(instance_id, request, response));
        add(`/mcp/dcc/${dcc_type}`, (request, response) => proxy.toType(dcc_type, request, response));
      }
      for (const [path, remove] of shortcuts) {
        if (wanted.has(path)) continue;
        shortcuts.delete(path);
        void remove();
      }
    };
    for (const name of ['instance.appeared', 'instance.changed', 'instance.left']) {
      scope.add(name, kernel.bus.on(name, refresh));
    }
    scope.add('shortcuts', () => {
      for (const remove of shortcuts.values()) void remove();
    });
    refresh();
  },
);
