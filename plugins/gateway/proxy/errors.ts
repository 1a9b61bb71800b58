/** Rows of the error table that the transparent proxy adds. */
import { defineErrors } from '../../../kernel/index.ts';

export const proxyErrors = defineErrors('SVC_PROXY', {
  NO_INSTANCE: {
    rpc: null,
    http: 503,
    kind: 'instance-offline',
    template: 'No instance of host type "{dcc_type}" is running: start one, or ask GET /v1/instances for what there is',
  },
  SESSION_GONE: {
    rpc: null,
    http: 404,
    kind: 'instance-offline',
    template: 'The instance of this session has gone: send initialize again, without the Mcp-Session-Id header',
  },
  BODY_TOO_LARGE: {
    rpc: null,
    http: 413,
    kind: 'bad-request',
    template: 'The body is larger than {max_request_body_bytes} bytes (max_request_body_bytes): send less',
  },
});
