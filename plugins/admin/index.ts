/** The admin page of the gateway: every instance, call, trace and finding, and changes of what may be changed. */
import { join } from 'node:path';
import { definePlugin, packageRoot, packageVersion } from '../../kernel/index.ts';
import type {} from '../audit/records/api.ts';
import type {} from '../debug/api.ts';
import type {} from '../gateway/backends/api.ts';
import type {} from '../gateway/delivery/api.ts';
import type {} from '../gateway/events/api.ts';
import type {} from '../guard/api.ts';
import type {} from '../instances/api.ts';
import type {} from '../traffic/api.ts';
import type {} from '../webhooks/api.ts';
import { createAccess } from './access.ts';
import { settings } from './config.ts';
import { adminErrors } from './errors.ts';
import { createFeed } from './feed.ts';
import { addChanges, readsOf } from './interface.ts';
import { createLogTail } from './log-tail.ts';
import { type Page, readPage } from './page.ts';
import { addAdminRoutes } from './routes.ts';

export const adminPlugin = definePlugin(
  {
    name: 'admin',
    dependencies: ['guard', 'call-records', 'instances', 'backends', 'gateway-events', 'delivery'],
    optional: ['traffic', 'webhooks', 'debug'],
    config: settings,
    errors: adminErrors,
  },
  (app, { kernel, config, scope, optional }) => {
    const { guard, callRecords, instances, backends, delivery } = app;
    const access = createAccess(guard);
    optional.debug?.mount(readsOf({ backends, delivery, webhooks: optional.webhooks }, access.admit));
    if (!config.admin_enabled) return;
    const feed = createFeed({
      ...{ bus: kernel.bus, now: kernel.ids.now, callRecords, instances, backends, traffic: optional.traffic },
      start: kernel.ids.uuid(),
      version: kernel.config.server_version ?? packageVersion,
      logs: createLogTail(kernel.logTail),
    });
    scope.add('feed', feed.dispose);
    const prefix = config.admin_path.replace(/\/+$/, '');
    let read: Promise<Page> | undefined;
    addAdminRoutes(app, {
      ...{ prefix, access, feed, heartbeatSecs: config.sse_heartbeat_secs },
      page() {
        const input = { prefix, token: access.pageToken, guarded: guard.on };
        read ??= readPage(join(packageRoot, 'dist', 'admin'), input).catch(error => {
          read = undefined;
          throw error;
        });
        return read;
      },
      add: api => addChanges(api, optional.webhooks),
    });
  },
);
