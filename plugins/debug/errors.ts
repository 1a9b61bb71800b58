/** Rows of the error table. */
import { defineErrors } from '../../kernel/index.ts';

export const debugErrors = defineErrors('SVC_DEBUG', {
  QUERY: { rpc: null, http: 400, kind: 'bad-request', template: '"{parameter}" {reason}' },
  NO_RECORD: {
    ...{ rpc: null, http: 404, kind: 'not-found' },
    template:
      'No call is recorded under the id {id}: take a request_id or trace_id from {path}, or it is too old by now',
  },
  LOCAL_ONLY: {
    ...{ rpc: null, http: 403, kind: 'policy-denied' },
    template: 'mode=raw is for callers on the machine of the gateway: leave it out for the report that may be shared',
  },
});
