/** Workflows: ordered tool calls that run as one background job. */

import { definePlugin } from '../../../kernel/index.ts';
import { anyOf } from '../../../schemas/operation.ts';
import type {} from '../../tools/api.ts';
import type {} from '../api.ts';
import type { WorkflowInput } from './api.ts';
import { workflowCheck } from './definition.ts';
import { workflowErrors } from './errors.ts';
import { workflowsEvents } from './events.ts';
import { workflowTools } from './tools.ts';
import { createWorkflows } from './workflows.ts';

export const workflowsPlugin = definePlugin(
  { name: 'workflows', errors: workflowErrors, dependencies: ['jobs', 'tools'], events: workflowsEvents },
  (app, { kernel, scope }) => {
    const workflows = createWorkflows({
      jobs: app.jobs,
      tools: app.tools,
      bus: kernel.bus,
      ids: kernel.ids,
      check: workflowCheck(kernel.schemas),
      graceMs: app.jobs.cancelGraceMs,
    });
    app.decorate('workflows', workflows);
    scope.add(
      'operation',
      app.host.operation('runWorkflow', anyOf<WorkflowInput>(), input => workflows.run(input)),
    );
    scope.add('workflows', workflows.close);
    scope.add('tools', app.tools.publish('internal:workflows', workflowTools(workflows), { source: 'internal' }));
  },
);
