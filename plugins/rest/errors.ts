/** Rows of the error table for `/v1`: of its routes, then of the instance's service; kinds are the contract's own words (CONTRACT 3.3). */
import { defineErrors } from '../../kernel/index.ts';

export const restErrors = defineErrors('SVC_REST', {
  BAD_REQUEST: { rpc: null, http: 400, kind: 'bad-request', template: 'Bad request: {reason}' },
  BODY: { rpc: null, http: 400, kind: 'bad-request', template: 'The body must be a JSON object: {reason}' },
  BODY_TOO_LARGE: {
    rpc: null,
    http: 413,
    kind: 'bad-request',
    template: 'The body is larger than {max_request_body_bytes} bytes (max_request_body_bytes)',
  },
  BAD_ARGS: {
    rpc: null,
    http: 400,
    kind: 'invalid-params',
    template: '"args" must be one JSON object, percent-encoded: {reason}',
  },
  NO_ROUTE: { rpc: null, http: 404, kind: 'not-found', template: 'No route {method} {path}' },
  ENCODING: {
    rpc: -32603,
    http: 500,
    kind: 'response-encoding-error',
    template: 'The answer cannot be encoded as {format}: {reason}',
  },
  UNAUTHORIZED: { rpc: null, http: 401, kind: 'unauthorized', template: 'This server refuses the request: {reason}' },
  NOT_READY: {
    rpc: null,
    http: 503,
    kind: 'not-ready',
    template: 'The host is not ready for calls yet ({missing}): GET /v1/readyz says when it is',
  },
  UNKNOWN_SLUG: {
    rpc: null,
    http: 404,
    kind: 'unknown-slug',
    template: 'No tool has the slug "{slug}": take slugs from POST /v1/search',
  },
  AMBIGUOUS_SLUG: { rpc: null, http: 409, kind: 'ambiguous', template: 'More than one tool has the slug "{slug}"' },
  SKILL_NOT_LOADED: {
    rpc: null,
    http: 409,
    kind: 'skill-not-loaded',
    template: '"{slug}" belongs to the skill "{skill}", which is not loaded: POST /v1/load_skill first',
  },
  SKILL_NOT_FOUND: { rpc: null, http: 404, kind: 'skill-not-found', template: 'Skill "{skill}": {reason}' },
  LIFECYCLE: { rpc: null, http: 409, kind: 'skill-lifecycle', template: 'Skill "{skill}": {reason}' },
});
