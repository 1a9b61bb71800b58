/** Rows of the error table for resources (specification: Errors; the codec of sessionless revisions never says -32002). */
import { defineErrors } from '../../kernel/light.ts';
import { alike } from '../../schemas/error-rows.ts';

const missing = { rpc: -32002, session: -32002, sessionless: -32602, http: 404, kind: 'not-found' };

export const resourceErrors = defineErrors('SVC_RESOURCES', {
  ...alike([-32601, 404, 'not-found'], {
    DISABLED: 'Method not found: {method} (resources are off: set enable_resources)',
  }),
  BAD_URI: { rpc: -32602, http: 400, kind: 'invalid-params', template: 'Invalid resource URI: {reason}' },
  NOT_FOUND: { ...missing, template: 'No resource {uri}: resources/list shows what there is' },
  UNAVAILABLE: { ...missing, template: 'Resource {uri} is not available: {reason}' },
  FAILED: { rpc: -32603, http: 500, kind: 'internal', template: 'Reading {uri} failed: {reason}' },
  ...alike([-32603, 507], {
    TOO_LARGE: 'Resource {uri} has {bytes} bytes, over the limit of {limit}: read it from its file instead',
  }),
  ...alike([-32602, 429], {
    TOO_MANY: 'This session follows {limit} resources already: unsubscribe from one first',
  }),
  OFF: { rpc: null, http: 404, kind: 'not-found', template: 'Resources are off on this server: set enable_resources' },
  ...alike([null, 429, 'throttled'], {
    TOO_MANY_STREAMS: 'All {limit} event streams are taken (max_sessions): close one, or try again later',
  }),
});
