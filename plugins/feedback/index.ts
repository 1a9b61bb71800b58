/** Feedback: findings that agents report, at an instance and at the gateway. Neither loads what is the other's. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../instances/api.ts';
import type {} from '../instances/registration/api.ts';
import type {} from '../instances/registry/api.ts';
import type {} from '../tools/api.ts';
import { settings } from './config.ts';
import { feedbackErrors } from './errors.ts';
import { feedbackEvents } from './events.ts';
import { settings as gatewaySettings } from './gateway-config.ts';

/** At an instance: the tool by which agents report, and what the host may ask about it. */
export const feedbackPlugin = definePlugin(
  {
    ...{ name: 'feedback', dependencies: ['tools', 'registry'], optional: ['registration'], config: settings },
    errors: feedbackErrors,
  },
  async (app, { kernel, config, scope, log, optional }) => {
    const { addOperations } = await import('./operations.ts');
    await addOperations({
      ...{ host: app.host, tools: app.tools, registry: app.registry, schemas: kernel.schemas, config, scope, log },
      bus: kernel.bus,
      serverName: kernel.config.server_name,
      ownId: () => optional.registration?.instance_id,
      hostPid: () => optional.registration?.said().host_pid ?? process.pid,
      isListening: () => app.server.listening,
    });
  },
);

/** At the gateway: takes reports, with or without instances, and reads what is stored in the registry. */
export const gatewayFeedbackPlugin = definePlugin(
  {
    ...{ name: 'feedback', dependencies: ['registry'], optional: ['instances'], config: gatewaySettings },
    ...{ errors: feedbackErrors, events: feedbackEvents },
  },
  async (app, { kernel, config, scope, optional: { instances } }) => {
    const { serveFeedback } = await import('./serving.ts');
    const { schemas, bus, ids } = kernel;
    serveFeedback(app, { registry: app.registry, instances, schemas, bus, ids, config, scope });
  },
);
