/** `/v1/debug/*`: what the gateway knows and what passed through it, read by its admin page and by people. */
import type { AddressInfo } from 'node:net';
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../audit/records/api.ts';
import type {} from '../gateway/api.ts';
import type {} from '../gateway/backends/api.ts';
import type {} from '../gateway/events/api.ts';
import type {} from '../gateway/index/api.ts';
import type {} from '../instances/api.ts';
import type {} from '../mcp/api.ts';
import type {} from '../rest/api.ts';
import type {} from '../traffic/api.ts';
import type {} from './api.ts';
import { settings } from './config.ts';
import { debugErrors } from './errors.ts';
import { createReads } from './reads.ts';
import { createMount, readsOf } from './routes.ts';
import { createState } from './state.ts';

export const debugPlugin = definePlugin(
  {
    name: 'debug',
    dependencies: [
      ...['call-records', 'gateway', 'rest', 'mcp', 'instances', 'backends', 'capability-index', 'gateway-events'],
    ],
    optional: ['traffic'],
    config: settings,
    errors: debugErrors,
  },
  (app, { kernel, config, optional: { traffic } }) => {
    const { callRecords, gateway, rest, mcp, instances, backends, capabilities, gatewayEvents } = app;
    const port = (): number => (app.server.address() as AddressInfo | null)?.port ?? 0;
    const state = createState({
      ...{ kernel, settings: config, instances, backends, capabilities, callRecords, gatewayEvents, mcp, port },
    });
    const adminBase = config.admin_enabled ? `${config.admin_path.replace(/\/+$/, '')}/api` : undefined;
    const reads = createReads({ callRecords, gatewayEvents, now: kernel.ids.now, adminBase });
    const capture = () => traffic?.status();
    const prefixes = ['/v1/debug', ...(adminBase === undefined ? [] : [adminBase])];
    const mount = createMount(app, { codec: rest.codec, gateway, prefixes });
    mount(readsOf({ state, reads, capture, settings: kernel.config, now: kernel.ids.now }));
    app.decorate('debug', { mount });
  },
);
