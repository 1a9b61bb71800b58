/** The capability index of the gateway: every tool of every live instance, loaded or not, searched and found by slug. */

import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../instances/api.ts';
import type {} from '../../policy/approvals/api.ts';
import type {} from '../../search/api.ts';
import type {} from '../backends/api.ts';
import type {} from './api.ts';
import { createCapabilities } from './capabilities.ts';
import { capabilityErrors } from './errors.ts';
import { capabilitiesEvents } from './events.ts';

export const capabilitiesPlugin = definePlugin(
  {
    name: 'capability-index',
    errors: capabilityErrors,
    dependencies: ['instances', 'backends', 'search'],
    optional: ['approvals'],
    events: capabilitiesEvents,
  },
  (app, { kernel, scope, log, optional: { approvals } }) => {
    const { service, start, close } = createCapabilities({
      instances: app.instances,
      backends: app.backends,
      bus: kernel.bus,
      search: app.searchEngine,
      approvals,
      onProblem(instance_id, problem) {
        app.instances.addProblem(instance_id, `its tools cannot be listed: ${problem}`);
        log.warn({ instance_id, problem }, 'the tools of an instance cannot be listed');
      },
      onError: err => log.error({ err }, 'the tools of an instance that left are still listed'),
    });
    app.decorate('capabilities', service);
    start();
    scope.add('capabilities', close);
  },
);
