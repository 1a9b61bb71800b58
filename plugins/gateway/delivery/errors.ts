/** Rows of the error table for jobs behind the gateway. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const deliveryErrors = defineErrors('SVC_RELAY', {
  NOBODY_TO_ASK: {
    ...{ rpc: -32603, http: 409 },
    template: 'The client cannot be asked for {method}: no session of the gateway waits for it',
  },
  ...alike([-32602, 404, 'not-found'], {
    JOB_UNKNOWN: 'No live instance knows a job "{job_id}": take the id from the receipt of its call',
  }),
  ...alike([-32002, 503, 'job-interrupted'], {
    JOB_INTERRUPTED: 'The job was interrupted: {reason}',
  }),
  ...alike([-32002, 502, 'backend-error'], {
    STREAM_CUT: 'The instance ends the events of job {job_id} before the job: poll it with jobs_get_status',
  }),
});
