/** Rows of the error table for jobs behind the gateway. */
import { defineErrors } from '../../../kernel/index.ts';

export const deliveryErrors = defineErrors('SVC_RELAY', {
  JOB_UNKNOWN: {
    rpc: -32602,
    http: 404,
    kind: 'not-found',
    template: 'No live instance knows a job "{job_id}": take the id from the receipt of its call',
  },
});
