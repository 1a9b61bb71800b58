/** What workflows tell the bus. `correlation` has `workflow_id`, `job_id` and the `session_id` that started it, if one did. */
import type { WorkflowUpdate } from './api.ts';

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'workflow.updated': WorkflowUpdate;
  }
}

export const workflowsEvents = {
  'workflow.updated': 'a step of a workflow began or ended, or the workflow ended',
} as const;
