/** What the server object, job notifications and other plugins may use of workflows. */
import type { RpcSession } from '../../../kernel/index.ts';
import type { JobStatus } from '../../../schemas/job.ts';
import type { Asking } from '../api.ts';

/** One tool call of a workflow. */
export interface WorkflowStep {
  /** Unique in the workflow; later steps refer to it. */
  id: string;
  tool: string;
  /** Strings may hold `{{steps.<id>.<path>}}`: what an earlier step returned. */
  arguments?: Record<string, unknown>;
}

/** Steps in the order in which they run. */
export interface WorkflowInput {
  /** Default: a UUID. */
  workflow_id?: string;
  steps: readonly WorkflowStep[];
}

/** How a workflow that was started is known. */
export interface WorkflowReceipt {
  workflow_id: string;
  job_id: string;
}

/** Where a workflow stands (shape:job-notifications). */
export type WorkflowUpdate = {
  workflow_id: string;
  job_id: string;
  status: JobStatus;
  /** The step that it is at, or that it stopped at; null before the first one and once all are done. */
  current_step_id: string | null;
  progress: { completed_steps: number; total_steps: number };
};

export interface WorkflowOrigin {
  session?: RpcSession | undefined;
  asking?: Asking | undefined;
  parentJobId?: string | undefined;
}

/** How a workflow goes on is told on the bus: `workflow.updated` (events.ts). */
export interface WorkflowsService {
  /** Starts the steps as one background job; rejects with SVC_WORKFLOWS_INVALID. */
  run(input: WorkflowInput, origin?: WorkflowOrigin): Promise<WorkflowReceipt>;
}

declare module 'fastify' {
  interface FastifyInstance {
    workflows: WorkflowsService;
  }
}
