/** Approvals: whether skills, and servers behind the gateway, say of their tools what somebody has seen before. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../instances/registry/api.ts';
import type {} from './api.ts';
import { createApprovals } from './approvals.ts';
import { settings } from './config.ts';
import { approvalErrors } from './errors.ts';
import { approvalEvents } from './events.ts';
import { addApprovalRoutes } from './routes.ts';
import { createApprovalStore } from './store.ts';

export const approvalsPlugin = definePlugin(
  {
    name: 'approvals',
    dependencies: ['registry'],
    config: settings,
    events: approvalEvents,
    errors: approvalErrors,
  },
  (app, { kernel, config, scope, log }) => {
    const { registry } = app;
    const files = createApprovalStore(registry.directory);
    const store = {
      ...files,
      // Where others may write nothing of it would mean anything.
      async put(record: Parameters<typeof files.put>[0]) {
        await registry.prepare();
        await files.put(record);
      },
    };
    const { service, close } = createApprovals({
      ...{ mode: config.tool_approvals, store, log },
      ...{ bus: kernel.bus, now: kernel.ids.now },
    });
    scope.add('approvals', close);
    app.decorate('approvals', service);
    addApprovalRoutes(app, service);
  },
);
