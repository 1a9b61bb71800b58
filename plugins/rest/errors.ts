/** Rows of the error table for the REST twin; kinds are the contract's own words (CONTRACT 3.3). */
import { defineErrors } from '../../kernel/index.ts';

export const restErrors = defineErrors('SVC_REST', {
  BAD_REQUEST: { rpc: null, http: 400, kind: 'bad-request', template: 'Bad request: {reason}' },
  BAD_ARGS: {
    rpc: null,
    http: 400,
    kind: 'invalid-params',
    template: '"args" must be one JSON object, percent-encoded: {reason}',
  },
  NO_ROUTE: { rpc: null, http: 404, kind: 'not-found', template: 'No route {method} {path}' },
  RESOURCES_OFF: {
    rpc: null,
    http: 404,
    kind: 'not-found',
    template: 'Resources are off on this server: set enable_resources',
  },
  TOO_MANY_STREAMS: {
    rpc: null,
    http: 503,
    kind: 'throttled',
    template: 'All {limit} event streams are taken (max_sessions): close one, or try again later',
  },
});
