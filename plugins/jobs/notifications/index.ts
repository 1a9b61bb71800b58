/** Tells clients of background jobs: progress by token, and one message per transition. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../guard/api.ts';
import type {} from '../../mcp/api.ts';
import type {} from '../api.ts';
import type {} from '../workflows/api.ts';
import { settings } from './config.ts';
import { createJobNotifications } from './notifications.ts';

export const jobNotificationsPlugin = definePlugin(
  { name: 'job-notifications', config: settings, dependencies: ['mcp'], optional: ['guard'] },
  (app, { kernel, config, scope, optional: { guard } }) => {
    const { updated, progressed, logged, workflow } = createJobNotifications(
      app.mcp,
      config.enable_job_notifications,
      () => guard?.on === true,
    );
    scope.add('job.updated', kernel.bus.on('job.updated', updated));
    scope.add('internal.job.progressed', kernel.bus.on('internal.job.progressed', progressed));
    scope.add('internal.job.logged', kernel.bus.on('internal.job.logged', logged));
    scope.add('workflow.updated', kernel.bus.on('workflow.updated', workflow));
  },
);
