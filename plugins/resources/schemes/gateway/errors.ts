/** Rows of the error table for the gateway's own resources. */
import { defineErrors } from '../../../../kernel/index.ts';

export const gatewaySchemeErrors = defineErrors('SVC_SCHEME_GATEWAY', {
  BAD_QUERY: { rpc: -32602, http: 400, kind: 'invalid-params', template: 'The query of {uri} is wrong: {reason}' },
});
