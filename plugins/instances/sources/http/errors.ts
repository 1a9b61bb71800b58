/** Rows of the error table for remote registration (shape:register). */
import { defineErrors } from '../../../../kernel/index.ts';
import { alike } from '../../../../schemas/error-rows.ts';

export const discoveryErrors = defineErrors('SVC_DISCOVERY_HTTP', {
  BAD_REQUEST: { rpc: null, http: 400, kind: 'bad-request', template: 'The registration is refused: {reason}' },
  ...alike([null, 401, 'unauthorized'], {
    REMOTE_UNAUTHORIZED:
      'Without a token only servers at a loopback address are registered: name tokens in auth_tokens, and send one',
  }),
  ...alike([null, 403, 'claimed'], {
    CLAIMED: 'Instance {instance_id} is registered by somebody else: register under an id of your own',
  }),
  ...alike([null, 404, 'not-found'], {
    NOT_FOUND: 'Instance {instance_id} is not registered, or its time to live is over: register it again',
  }),
  ...alike([null, 429, 'throttled'], {
    TOO_MANY: '{limit} remote instances are registered already: deregister one first',
  }),
});
