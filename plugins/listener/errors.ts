/** Rows of the error table for addresses that cannot be listened on. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const listenerErrors = defineErrors('SVC_SERVER', {
  ...alike([null, 409], {
    PORT_IN_USE: 'Address {address} is in use: choose another port, or 0 for a free one',
  }),
  ...alike([null, 403], {
    LISTEN_FORBIDDEN: 'Not allowed to listen on {address}: choose a port of 1024 or above',
  }),
  ADDRESS_UNAVAILABLE: { rpc: null, http: 400, template: 'This machine has no address {host}: choose another host' },
  CLOSING: { rpc: null, http: 503, template: 'The server is shutting down: connect again later' },
  LISTEN_FAILED: { rpc: null, http: 500, template: 'Cannot listen on {address}: {reason}' },
});
