/** The answer to a call that waits for its job: what the work came to, unless that takes too long. */
import { type Awaitable, after, isSvcError } from '../../kernel/index.ts';
import type { ToolResult } from '../tools/api.ts';
import type { JobRow } from './api.ts';
import { jobErrors } from './errors.ts';
import type { LiveJob } from './job.ts';
import { jobMeta, receiptOf } from './receipt.ts';

/** The answer to the call that a job was made of, once its first row is stored; `waiting` is the job when the call waits for it. */
export function answerOf(
  row: Awaitable<JobRow>,
  waiting: LiveJob | undefined,
  timeoutMs: number,
): Awaitable<ToolResult> {
  const end = waiting && endOf(waiting, timeoutMs);
  return after(row, ({ job_id, parent_job_id }) => {
    const receipt = receiptOf(job_id, parent_job_id);
    return end ? end.then(result => result ?? receipt) : receipt;
  });
}

/** Resolves with the job's own result, or after `timeoutMs` with nothing; rejects as its work did. */
function endOf(job: LiveJob, timeoutMs: number): Promise<ToolResult | undefined> {
  const end = new Promise<ToolResult | undefined>((resolve, reject) => {
    const timer = setTimeout(() => {
      job.ended = undefined;
      resolve(undefined);
    }, timeoutMs).unref();
    job.ended = () => {
      clearTimeout(timer);
      const { came } = job;
      if (came && 'result' in came) resolve(marked(came.result as unknown as ToolResult, job));
      else reject(failureOf(job));
    };
  });
  // Nobody may wait yet when it ends: the first row may still be on its way into the store.
  end.catch(() => undefined);
  return end;
}

/** The result with the id of its job in `_meta`; what a client holds against the output schema stays as it is. */
function marked(result: ToolResult, { row }: LiveJob): ToolResult {
  const dcc = result._meta?.dcc as object | undefined;
  const mark = jobMeta(row.job_id, row.parent_job_id, row.status);
  return { ...result, _meta: { ...result._meta, dcc: { ...dcc, ...mark } } };
}

/** What the work failed with, naming the job. */
function failureOf({ came, cancelled, row }: LiveJob): unknown {
  const { job_id, status, error } = row;
  const given = came && 'error' in came ? came.error : cancelled;
  const kind = status === 'interrupted' ? jobErrors.INTERRUPTED : jobErrors.FAILED;
  const failure = isSvcError(given) ? given : kind({ reason: error ?? '' });
  return Object.assign(failure, { details: { ...failure.details, job_id } });
}
