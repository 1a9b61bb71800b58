/** What a workflow must look like, and the check of one before any step runs. */
import { type JsonSchema, type Schemas, summary } from '../../../kernel/index.ts';
import type { WorkflowInput, WorkflowStep } from './api.ts';
import { workflowErrors } from './errors.ts';
import { referencedSteps } from './references.ts';

const mostSteps = 1000;
const id = (description: string) => ({
  type: 'string',
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  description,
});

/** JSON Schema of a workflow, which the internal tool takes as its arguments. */
export const workflowSchema: JsonSchema = {
  type: 'object',
  properties: {
    workflow_id: { type: 'string', minLength: 1, maxLength: 256, description: 'your own id; default a UUID' },
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: mostSteps,
      description: 'tool calls, run one after the other until one fails',
      items: {
        type: 'object',
        properties: {
          id: id('unique in the workflow'),
          tool: { type: 'string', minLength: 1, description: 'name of the tool to call' },
          arguments: {
            type: 'object',
            description: 'its arguments; `{{steps.<id>.<path>}}` stands for what an earlier step returned',
          },
        },
        required: ['id', 'tool'],
        additionalProperties: false,
      },
    },
  },
  required: ['steps'],
  additionalProperties: false,
};

/** A check that throws SVC_WORKFLOWS_INVALID and names the step at fault. */
export function workflowCheck(schemas: Pick<Schemas, 'compile'>): (input: WorkflowInput) => void {
  return input => {
    // Compiled at the first workflow, and kept by the kernel: not while the server starts.
    const problems = schemas.compile(workflowSchema, 'own')(input);
    if (problems) throw workflowErrors.INVALID({ reason: summary(problems), problems });
    const earlier = new Set<string>();
    for (const step of input.steps) {
      const reason = faultOf(step, earlier);
      if (reason) throw workflowErrors.INVALID({ reason });
      earlier.add(step.id);
    }
  };
}

function faultOf(step: WorkflowStep, earlier: ReadonlySet<string>): string | undefined {
  if (earlier.has(step.id)) return `two steps have the id "${step.id}": rename one`;
  const missing = referencedSteps(step.arguments ?? {}).find(each => !earlier.has(each));
  return missing && `step "${step.id}" refers to step "${missing}", which does not come before it`;
}
