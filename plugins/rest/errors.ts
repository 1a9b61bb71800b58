/** Rows of the error table for `/v1`: of its routes, then of the instance's service; kinds are words of the published API (shape:envelope). */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const restErrors = defineErrors('SVC_REST', {
  ...alike([null, 400, 'bad-request'], {
    BAD_REQUEST: 'Bad request: {reason}',
    BODY: 'The body must be a JSON object: {reason}',
  }),
  ...alike([null, 413, 'bad-request'], {
    BODY_TOO_LARGE:
      'The body is larger than {max_request_body_bytes} bytes (max_request_body_bytes; of a gateway gateway_http_body_limit_bytes)',
  }),
  ...alike([null, 400, 'invalid-params'], {
    BAD_ARGS: '"args" must be one JSON object, percent-encoded: {reason}',
  }),
  ...alike([null, 415, 'bad-request'], {
    MEDIA_TYPE: 'The body must be JSON: send Content-Type: application/json',
  }),
  NO_ROUTE: { rpc: null, http: 404, kind: 'not-found', template: 'No route {method} {path}' },
  ...alike([-32603, 500, 'response-encoding-error'], {
    ENCODING: 'The answer cannot be encoded as {format}: {reason}',
  }),
  ...alike([null, 503, 'not-ready'], {
    NOT_READY: 'The host is not ready for calls yet ({missing}): GET /v1/readyz says when it is',
  }),
  ...alike([null, 404, 'unknown-slug'], {
    UNKNOWN_SLUG: 'No tool has the slug "{slug}": take slugs from POST /v1/search',
  }),
  AMBIGUOUS_SLUG: { rpc: null, http: 409, kind: 'ambiguous', template: 'More than one tool has the slug "{slug}"' },
  ...alike([null, 409, 'skill-not-loaded'], {
    SKILL_NOT_LOADED: '"{slug}" belongs to the skill "{skill}", which is not loaded: POST /v1/load_skill first',
  }),
  SKILL_NOT_FOUND: { rpc: null, http: 404, kind: 'skill-not-found', template: 'Skill "{skill}": {reason}' },
  LIFECYCLE: { rpc: null, http: 409, kind: 'skill-lifecycle', template: 'Skill "{skill}": {reason}' },
});
