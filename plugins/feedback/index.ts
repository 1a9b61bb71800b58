/** Feedback: findings that agents report, at an instance and at the gateway. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../instances/api.ts';
import type {} from '../instances/registry/api.ts';
import { feedbackErrors } from './errors.ts';
import { feedbackEvents } from './events.ts';
import { settings as gatewaySettings } from './gateway-config.ts';
import { createFeedbackListing } from './listing.ts';
import { createFindingReader } from './reading.ts';
import { createFeedbackRecords } from './records.ts';
import { addFeedbackRoutes } from './routes.ts';
import { createSubmissions } from './submissions.ts';

/** At the gateway: takes reports, with or without instances, and reads what is stored in the registry. */
export const gatewayFeedbackPlugin = definePlugin(
  {
    ...{ name: 'feedback', dependencies: ['registry'], optional: ['instances'], config: gatewaySettings },
    ...{ errors: feedbackErrors, events: feedbackEvents },
  },
  (app, { kernel, config, scope, optional }) => {
    const { registry } = app;
    const records = createFeedbackRecords(registry.directory, 'gateway');
    scope.add('records', records.close);
    const reader = createFindingReader(kernel.schemas);
    const submissions = createSubmissions({
      ...{ reader, bus: kernel.bus, now: kernel.ids.now },
      async append(entry) {
        await registry.prepare();
        await records.append(entry);
      },
      instance: id => optional.instances?.get(id.toLowerCase()),
    });
    const listing = createFeedbackListing(registry.directory, kernel.ids.now);
    const admin = config.admin_enabled ? [`${config.admin_path.replace(/\/+$/, '')}/api/feedback`] : [];
    addFeedbackRoutes(app, { reader, submissions, listing, readAt: [...admin, '/v1/debug/feedback'] });
  },
);
