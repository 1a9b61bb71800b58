/** Rows of the error table for resources (specification: Errors; the codec of sessionless revisions never says -32002). */
import { defineErrors } from '../../kernel/light.ts';

export const resourceErrors = defineErrors('SVC_RESOURCES', {
  DISABLED: {
    rpc: -32601,
    http: 404,
    kind: 'not-found',
    template: 'Method not found: {method} (resources are off: set enable_resources)',
  },
  BAD_URI: { rpc: -32602, http: 400, kind: 'invalid-params', template: 'Invalid resource URI: {reason}' },
  NOT_FOUND: {
    rpc: -32602,
    http: 404,
    kind: 'not-found',
    template: 'No resource {uri}: resources/list shows what there is',
  },
  UNAVAILABLE: {
    rpc: -32002,
    sessionless: -32602,
    http: 404,
    kind: 'not-found',
    template: 'Resource {uri} is not available: {reason}',
  },
  FAILED: { rpc: -32603, http: 500, kind: 'internal', template: 'Reading {uri} failed: {reason}' },
  TOO_LARGE: {
    rpc: -32603,
    http: 507,
    template: 'Resource {uri} has {bytes} bytes, over the limit of {limit}: read it from its file instead',
  },
  TOO_MANY: {
    rpc: -32602,
    http: 429,
    template: 'This session follows {limit} resources already: unsubscribe from one first',
  },
  OFF: {
    rpc: null,
    http: 404,
    kind: 'not-found',
    template: 'Resources are off on this server: set enable_resources',
  },
  TOO_MANY_STREAMS: {
    rpc: null,
    http: 429,
    kind: 'throttled',
    template: 'All {limit} event streams are taken (max_sessions): close one, or try again later',
  },
});
