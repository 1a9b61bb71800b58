/** Rows of the error table for relays and tunnels. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const relayErrors = defineErrors('SVC_RELAY', {
  ...alike([null, 400, 'bad-request'], {
    KEY_INVALID: 'The key file {path} cannot be used: {reason}',
    NO_KEY: 'A relay needs a key to check the tokens of tunnels: name a file with relay_key_file',
    TARGET_INVALID: '{what} needs the http address of a server or relay: {given}',
    NO_TYPE: 'No server of this machine listens at {target}: start it first, or name its host type with dcc_type',
    NO_TOKEN: 'The relay asks for a token: name a file with tunnel_token_file, or set SVC_TUNNEL_TOKEN',
  }),
  NOT_A_TUNNEL: { rpc: null, http: 426, template: 'Tunnels connect here by WebSocket' },
  ...alike([null, 404, 'not-found'], {
    UNKNOWN_TUNNEL: 'No tunnel "{tunnel_id}" is connected: GET /tunnels lists those that are',
  }),
  ...alike([null, 413, 'bad-request'], { TOO_LARGE: 'The body is larger than {limit} bytes' }),
  ...alike([null, 502, 'backend-error'], {
    TUNNEL_FAILED: 'Tunnel {tunnel_id} gave no answer: {reason}',
  }),
  ...alike([null, 503, 'throttled'], {
    TUNNEL_BUSY: '{limit} requests are under way through tunnel {tunnel_id}: try again',
  }),
  REFUSED: { rpc: null, http: 403, template: 'The relay refuses this tunnel ({error_code}): {reason}' },
  UNREACHABLE: { rpc: null, http: 503, template: 'The relay {relay} cannot be reached: {reason}' },
});
