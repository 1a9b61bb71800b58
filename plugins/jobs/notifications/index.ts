/** Tells clients of background jobs: progress by token, and one message per transition. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../mcp/api.ts';
import type {} from '../api.ts';
import type {} from '../workflows/api.ts';
import { createJobNotifications } from './notifications.ts';

export const jobNotificationsPlugin = definePlugin(
  { name: 'job-notifications', dependencies: ['jobs', 'mcp'] },
  (app, { config, scope }) => {
    const notifications = createJobNotifications(app.mcp, config.enable_job_notifications);
    scope.add('watch jobs', app.jobs.watch(notifications.tell));
    // Workflows may be switched off.
    if (app.hasDecorator('workflows')) scope.add('watch workflows', app.workflows.watch(notifications.tellWorkflow));
  },
);
