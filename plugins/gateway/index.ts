/** The gateway: four MCP tools over the tools of every instance, and the same operations for other doors. */

import { definePlugin } from '../../kernel/index.ts';
import { gatewayErrors } from './errors.ts';
import './api.ts';
import { callEvents } from './call-events.ts';
import { settings } from './config.ts';
import { callMethod, listMethod } from './methods.ts';
import type {} from './proxy/api.ts';
import { createGateway } from './service.ts';
import { createInputCheck } from './tool-input.ts';

const instructions =
  'One gateway to the tools of every running application. Find a tool with search, look at it with describe, load its ' +
  'skill with load_skill when its row says so, then run it with call. Take tool_slug from search, never build one. ' +
  'A next_step names the tool to send the tool_slug beside it to, or is {tool: arguments} to send as they stand. An ' +
  'answer with a job_id goes on in the background: call jobs_get_status with it until it has ended, do not send it ' +
  'again; tool_slug jobs_cancel with the job_id ends it.';

export const gatewayPlugin = definePlugin(
  {
    name: 'gateway',
    errors: gatewayErrors,
    config: settings,
    events: callEvents,
    dependencies: ['rest', 'mcp', 'instances', 'backends', 'capability-index', 'delivery', 'leases'],
    optional: ['proxy', 'tracing', 'guard'],
  },
  async (app, { kernel, config, scope, optional }) => {
    const { mcp, instances, backends, capabilities, delivery, leases, rest } = app;
    await rest.codec.load();
    const { batch } = rest;
    const unnamed = config.gateway_response_format ?? config.response_format;
    const { service: gateway, guard } = createGateway({
      kernel,
      settings: config,
      instances,
      backends,
      capabilities,
      delivery,
      leases,
      batch,
      guard: optional.guard?.on ? optional.guard : undefined,
    });
    const tell = (): void => mcp.broadcast('notifications/tools/list_changed');
    scope.add('tools.list_changed', kernel.bus.on('tools.list_changed', tell));
    // What clients of the older SSE transport wait for; the others skip events that are no messages.
    scope.add('greeting', mcp.greet('endpoint', kernel.config.endpoint_path));
    scope.add('instructions', mcp.instruct(instructions));
    scope.add('capability tools', mcp.capability('tools', { listChanged: true }));
    scope.add('capability experimental', mcp.capability('experimental', { svc: { compactResponses: true } }));
    scope.add('tools/list', kernel.rpc.method('tools/list', listMethod(rest.codec)));
    const check = createInputCheck(kernel.schemas);
    scope.add(
      'tools/call',
      kernel.rpc.method(
        'tools/call',
        callMethod({ gateway, ids: kernel.ids, codec: rest.codec, check, unnamed, tracing: optional.tracing }),
      ),
    );
    if (optional.proxy) scope.add('policy of the proxy', optional.proxy.guard(guard));
    app.decorate('gateway', gateway);
  },
);
