/** `/mcp/{instance_id}` and `/mcp/dcc/{dcc_type}`: the instances' own MCP endpoints under the gateway's address. */

import type { IncomingMessage } from 'node:http';
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../guard/api.ts';
import type { InstanceEvent } from '../../instances/api.ts';
import type {} from '../../telemetry/tracing/api.ts';
import type { Backend } from '../backends/api.ts';
import type {} from '../hop-api.ts';
import type {} from './api.ts';
import { proxyErrors } from './errors.ts';
import { createProxy } from './proxy.ts';
import { createShortcuts } from './shortcuts.ts';

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

    const { direct } = kernel.front;
    const shortcuts = createShortcuts({
      toInstance: id => direct('POST', `/mcp/${id}`, (request, response) => proxy.toInstance(id, request, response)),
      toType: type => direct('POST', `/mcp/dcc/${type}`, (request, response) => proxy.toType(type, request, response)),
    });
    for (const name of ['instance.appeared', 'instance.changed'] as const) {
      scope.add(
        name,
        kernel.bus.on(name, ({ attributes }) => shortcuts.follow(attributes)),
      );
    }
    const gone = ({ attributes }: { attributes: InstanceEvent }) =>
      shortcuts.follow({ ...attributes, routable: false });
    scope.add('instance.left', kernel.bus.on('instance.left', gone));
    scope.add('shortcuts', shortcuts.dispose);
    for (const each of app.instances.live()) shortcuts.follow(each);
  },
);
