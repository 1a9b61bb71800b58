/** Rows of the error table for registering at the gateway of another machine. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const remoteErrors = defineErrors('SVC_REMOTE_REGISTRATION', {
  ...alike([null, 400], {
    URL_INVALID: '{option} "{url}" is no http address without credentials',
    NO_REGISTRATION:
      'remote_gateway_url needs the plugin "registration", which is switched off: enable it, or leave the option out',
    NOT_REACHABLE: 'Nobody on another machine reaches {host}: set host, or advertised_mcp_url',
  }),
  REFUSED: { rpc: null, http: 502, template: 'The gateway answers {status}: {reason}' },
});
