/** Workflows: steps that run one after the other as one background job, and what is told of them on the way. */
import type { Bus, Ids } from '../../../kernel/index.ts';
import type { JobStatus } from '../../../schemas/job.ts';
import { messageOf } from '../../../schemas/thrown.ts';
import type { ToolResult, ToolsService } from '../../tools/api.ts';
import type { JobsService } from '../api.ts';
import type { WorkflowInput, WorkflowReceipt, WorkflowStep, WorkflowsService } from './api.ts';
import { resolveReferences } from './references.ts';

const jobTool = 'workflow';

export interface WorkflowsDeps {
  jobs: Pick<JobsService, 'submit'>;
  tools: Pick<ToolsService, 'call'>;
  bus: Pick<Bus, 'on' | 'emit'>;
  ids: Pick<Ids, 'uuid'>;
  /** Throws when a workflow is not valid. */
  check(input: WorkflowInput): void;
  /** How long a cancelled step may take to stop. */
  graceMs: number;
}

export interface Workflows extends WorkflowsService {
  close(): void;
}

/** A workflow that has not ended. */
interface Flow extends WorkflowReceipt {
  steps: readonly WorkflowStep[];
  completed: number;
  current: string | null;
  sessionId: string | undefined;
}

interface Work {
  signal: AbortSignal;
  progress(current: number, total?: number, message?: string): void;
}

export function createWorkflows({ jobs, tools, bus, ids, check, graceMs }: WorkflowsDeps): Workflows {
  const flows = new Map<string, Flow>();

  const tell = (flow: Flow, status: JobStatus): void => {
    const { workflow_id, job_id, current, completed, steps, sessionId } = flow;
    const progress = { completed_steps: completed, total_steps: steps.length };
    bus.emit('workflow.updated', {
      correlation: { workflow_id, job_id, ...(sessionId !== undefined && { session_id: sessionId }) },
      attributes: { workflow_id, job_id, status, current_step_id: current, progress },
    });
  };

  // However a job ends, also without having begun: its workflow ends with it.
  const unfollow = bus.on('job.updated', ({ attributes: { job_id, status, completed_at }, correlation }) => {
    const flow = flows.get(job_id);
    if (!flow) return;
    flow.sessionId = correlation.session_id as string | undefined;
    if (completed_at === null) return;
    flows.delete(job_id);
    if (status === 'completed') flow.current = null;
    tell(flow, status);
  });

  const perform = async (flow: Flow, { signal, progress }: Work): Promise<Record<string, unknown>> => {
    const { workflow_id, steps } = flow;
    const results = new Map<string, unknown>();
    const done: Record<string, unknown>[] = [];
    for (const step of steps) {
      signal.throwIfAborted();
      flow.current = step.id;
      tell(flow, 'running');
      const failure = await attempt(step, results, signal);
      done.push({ id: step.id, tool: step.tool, result: results.get(step.id) ?? null });
      if (failure === undefined) {
        flow.completed += 1;
        progress(flow.completed, steps.length, step.id);
      }
      // Of a workflow that ended meanwhile, its end was the last thing told.
      if (flows.has(flow.job_id)) tell(flow, 'running');
      if (failure !== undefined) {
        signal.throwIfAborted();
        const error = `step "${step.id}" (${step.tool}) failed: ${failure}`;
        return { ...asResult({ workflow_id, error, failed_step_id: step.id, steps: done }), isError: true };
      }
    }
    return asResult({ workflow_id, steps: done });
  };

  /** Runs one step and keeps what it returned; resolves with why it failed. */
  const attempt = async (
    step: WorkflowStep,
    results: Map<string, unknown>,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    try {
      const args = resolveReferences(step.id, step.arguments ?? {}, results);
      // Without a job of its own: the step is part of this one, however its tool runs otherwise.
      const result = await tools.call({ name: step.tool, args, signal, internal: true, timeoutMs: 0, graceMs });
      results.set(step.id, returnedBy(result));
      return result.isError === true ? failureOf(result) : undefined;
    } catch (error) {
      return messageOf(error);
    }
  };

  return {
    async run(input, { session, asking, parentJobId } = {}) {
      check(input);
      const { workflow_id = ids.uuid(), steps } = input;
      const job_id = ids.uuid();
      const flow: Flow = { workflow_id, job_id, steps, completed: 0, current: null, sessionId: session?.id };
      // First: its job may end before the answer is there.
      flows.set(job_id, flow);
      try {
        await jobs.submit({
          jobId: job_id,
          tool: jobTool,
          session,
          asking,
          parentJobId,
          run: work => perform(flow, work),
        });
      } catch (error) {
        flows.delete(job_id);
        throw error;
      }
      return { workflow_id, job_id };
    },
    close() {
      void unfollow();
      flows.clear();
    },
  };
}

const asResult = (value: Record<string, unknown>): Record<string, unknown> => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** What a step returned: its structured value, the text of a result that has nothing else, or its content. */
function returnedBy({ structuredContent, content }: ToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const [first] = content;
  return content.length === 1 && first?.type === 'text' ? first.text : content;
}

function failureOf({ structuredContent, content }: ToolResult): string {
  const { error, message } = (structuredContent ?? {}) as Record<string, unknown>;
  const said = [error, message, content[0]?.text].find(each => typeof each === 'string' && each !== '');
  return typeof said === 'string' ? said : 'the tool reported a failure without a message';
}
