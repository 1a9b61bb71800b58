/** Rows of the error table that the transparent proxy adds. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const proxyErrors = defineErrors('SVC_PROXY', {
  ...alike([-32603, 503, 'instance-offline'], {
    NO_INSTANCE:
      'No instance of host type "{dcc_type}" is running: start one, or ask GET /v1/instances for what there is',
  }),
  ...alike([-32603, 409, 'instance-leased'], {
    ALL_LEASED:
      'Every instance of host type "{dcc_type}" is leased: call it through the gateway with your meta.lease_owner, or wait',
  }),
  ...alike([-32603, 404, 'instance-offline'], {
    SESSION_UNKNOWN:
      'The gateway knows of no such session of yours: send initialize again, without the Mcp-Session-Id header',
    SESSION_GONE: 'The instance of this session has gone: send initialize again, without the Mcp-Session-Id header',
  }),
  ...alike([-32603, 413, 'bad-request'], {
    BODY_TOO_LARGE: 'The body is larger than {max_request_body_bytes} bytes (gateway_http_body_limit_bytes): send less',
  }),
});
