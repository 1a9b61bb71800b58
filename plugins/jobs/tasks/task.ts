/** A job as a task of MCP's tasks extension: another form of the same record. Pure. */
import { isObject } from '../../../schemas/loose.ts';
import type { JobRow } from '../api.ts';
import { jobErrors } from '../errors.ts';
import type { TaskInputs } from './inputs.ts';

export const extension = 'io.modelcontextprotocol/tasks';

/** How often a client should ask, in ms. */
const pollIntervalMs = 500;

/** Whether a client understands tasks. */
export function declares(capabilities: Readonly<Record<string, unknown>>): boolean {
  return isObject(capabilities.extensions) && isObject(capabilities.extensions[extension]);
}

/** What every form of a task says. A task is kept as long as its job: there is no time after which it must go. */
export function taskOf(row: JobRow, inputs: TaskInputs | undefined) {
  return {
    taskId: row.job_id,
    status: statusOf(row, inputs),
    createdAt: row.created_at,
    lastUpdatedAt: row.updated_at,
    ttlMs: null,
    pollIntervalMs,
    ...(row.progress?.message !== undefined && { statusMessage: row.progress.message }),
  };
}

/** With what it came to, or what it asks. */
export function detailedTask(row: JobRow, inputs: TaskInputs | undefined) {
  const task = taskOf(row, inputs);
  if (task.status === 'input_required') return { ...task, inputRequests: inputs?.told };
  if (task.status === 'completed') return { ...task, result: JSON.parse(row.result ?? '{}') };
  if (task.status !== 'failed') return task;
  const error = row.status === 'interrupted' ? jobErrors.INTERRUPTED : jobErrors.FAILED;
  const { code, message } = error({ reason: row.error ?? '' });
  return { ...task, error: { code: -32603, message, data: { code, job_id: row.job_id } } };
}

/** A tool that says that it failed has completed; without a result of it the task has failed. */
function statusOf({ status, result }: JobRow, inputs: TaskInputs | undefined): string {
  if (status === 'pending' || status === 'running') return inputs && inputs.size > 0 ? 'input_required' : 'working';
  if (status === 'cancelled') return status;
  return result === null ? 'failed' : 'completed';
}
