/** Rows of the error table for slugs (shape:envelope). */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const capabilityErrors = defineErrors('SVC_CAPABILITIES', {
  ...alike([-32602, 400, 'bad-request'], {
    SLUG_INVALID: '"{tool_slug}" is no tool slug: a slug is <dcc>.<id8>.<tool>, as search returns it',
  }),
  ...alike([-32002, 403, 'policy-denied'], {
    QUARANTINED:
      'The tool "{tool_slug}" says something else of itself than what was approved, and is kept away until somebody accepts it: svc-server skills accept',
  }),
  SLUG_UNKNOWN: { rpc: -32602, http: 404, kind: 'unknown-slug', template: 'No capability "{tool_slug}": {reason}' },
  ...alike([-32602, 409, 'ambiguous'], {
    SLUG_AMBIGUOUS: '"{tool_slug}" fits {count} capabilities: use one of {shown}',
  }),
});
