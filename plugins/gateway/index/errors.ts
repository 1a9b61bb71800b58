/** Rows of the error table for slugs (CONTRACT 3.3). */
import { defineErrors } from '../../../kernel/index.ts';

export const capabilityErrors = defineErrors('SVC_CAPABILITIES', {
  SLUG_INVALID: {
    rpc: -32602,
    http: 400,
    kind: 'bad-request',
    template: '"{tool_slug}" is no tool slug: a slug is <dcc>.<id8>.<tool>, as search returns it',
  },
  SLUG_UNKNOWN: {
    rpc: -32602,
    http: 404,
    kind: 'unknown-slug',
    template: 'No capability "{tool_slug}": {reason}',
  },
  SLUG_AMBIGUOUS: {
    rpc: -32602,
    http: 409,
    kind: 'ambiguous',
    template: '"{tool_slug}" fits {count} capabilities: use one of {shown}',
  },
});
