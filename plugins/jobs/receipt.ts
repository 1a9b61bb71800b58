/** The answer to an admitted call: a receipt with the job's id and how to poll it (shape:job). Pure. */
import type { ReceiptForm, ToolResult } from '../tools/api.ts';
import { mayAdmit } from './admission.ts';

/** For the listed output schemas of tools whose calls may become jobs. */
export const receiptForm: ReceiptForm = {
  possible: mayAdmit,
  schema: {
    type: 'object',
    title: 'Job receipt',
    required: ['job_id', 'status', 'core_poll'],
    properties: {
      job_id: { type: 'string', description: 'poll it with jobs_get_status' },
      status: { const: 'pending' },
      core_poll: { type: 'object' },
    },
  },
};

/** What a result says of the job that it came from. */
export const jobMeta = (jobId: string, parentJobId: string | null, status: string) => ({
  ...{ jobId, coreJobId: jobId, jobIdOwner: 'core', parentJobId, status },
});

export function receiptOf(jobId: string, parentJobId: string | null): ToolResult {
  const receipt = {
    job_id: jobId,
    core_job_id: jobId,
    job_id_owner: 'core',
    status: 'pending',
    parent_job_id: parentJobId,
    core_poll: { owner: 'core', tool: 'jobs_get_status', arguments: { job_id: jobId, include_result: true } },
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(receipt) }],
    structuredContent: receipt,
    _meta: {
      status: 'pending',
      dcc: jobMeta(jobId, parentJobId, 'pending'),
    },
  };
}
