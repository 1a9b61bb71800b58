/** Workflows, as the host starts them. */
import type { HostHalf } from '../../../kernel/light.ts';
import type { WorkflowInput, WorkflowReceipt } from './api.ts';

export interface HostWorkflows {
  /** Starts tool calls in order as one background job; resolves at once with the ids. Follow it on the bus as `job.updated`. */
  runWorkflow(workflow: WorkflowInput): Promise<WorkflowReceipt>;
}

export const workflowsHalf = {
  plugin: 'workflows',
  operations: ['runWorkflow'],
  open: (link): HostWorkflows => ({ runWorkflow: workflow => link.call('runWorkflow', workflow) }),
} satisfies HostHalf<HostWorkflows>;
