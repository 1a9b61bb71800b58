/** Rows of the error table for remote registration (CONTRACT 11.3). */
import { defineErrors } from '../../../../kernel/index.ts';

export const discoveryErrors = defineErrors('SVC_DISCOVERY_HTTP', {
  BAD_REQUEST: { rpc: null, http: 400, kind: 'bad-request', template: 'The registration is refused: {reason}' },
  UNAUTHORIZED: {
    rpc: null,
    http: 401,
    kind: 'unauthorized',
    template:
      'Remote registration needs a token: send "Authorization: Bearer <token>" with one of gateway_register_tokens',
  },
  DCC_SCOPE: {
    rpc: null,
    http: 403,
    kind: 'dcc_scope_mismatch',
    template: 'The token of "{label}" may not register instances of "{dcc_type}"',
  },
  NOT_FOUND: {
    rpc: null,
    http: 404,
    kind: 'not-found',
    template: 'Instance {instance_id} is not registered, or its time to live is over: register it again',
  },
  TOO_MANY: {
    rpc: null,
    http: 429,
    kind: 'throttled',
    template: '{limit} remote instances are registered already: deregister one first',
  },
});
