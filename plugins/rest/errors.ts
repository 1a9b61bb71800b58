/** Rows of the error table for what the gateway's REST routes refuse themselves. */
import { defineErrors } from '../../../kernel/index.ts';

export const restErrors = defineErrors('SVC_GATEWAY_REST', {
  BODY: { rpc: null, http: 400, kind: 'bad-request', template: 'The body must be a JSON object: {reason}' },
  BODY_TOO_LARGE: {
    rpc: null,
    http: 413,
    kind: 'bad-request',
    template: 'The body is larger than {max_request_body_bytes} bytes (max_request_body_bytes)',
  },
});
