/** The internal tool that starts a workflow: skills reach it through `ctx.call`, clients do not see it. */
import type { ToolEntry } from '../../tools/api.ts';
import type { WorkflowInput, WorkflowsService } from './api.ts';
import { workflowSchema } from './definition.ts';

export function workflowTools(workflows: Pick<WorkflowsService, 'run'>): ToolEntry[] {
  return [
    {
      definition: {
        name: 'svc.run_workflow',
        description:
          'Starts tool calls in order as one background job, which ends at the first that fails; ' +
          'answers with workflow_id and job_id.',
        annotations: { read_only_hint: false, destructive_hint: true, idempotent_hint: false, open_world_hint: true },
        input_schema: workflowSchema,
      },
      handler: (args, call) =>
        workflows.run(args as unknown as WorkflowInput, { session: call.session, asking: call, parentJobId: call.job }),
    },
  ];
}
