/** The answer to an admitted call: a receipt with the job's id and how to poll it (CONTRACT 9). Pure. */
import type { ToolResult } from '../tools/api.ts';

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
      dcc: { jobId, coreJobId: jobId, jobIdOwner: 'core', parentJobId, status: 'pending' },
    },
  };
}
