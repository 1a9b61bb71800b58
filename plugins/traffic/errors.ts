/** Rows of the error table for the traffic capture. */
import { defineErrors } from '../../kernel/index.ts';

export const trafficErrors = defineErrors('SVC_TRAFFIC', {
  CONFIG_INVALID: { rpc: null, http: 400, template: 'Traffic cannot be captured as {source} says: {reason}' },
  REFUSED: {
    rpc: null,
    http: 403,
    template:
      'This is production (SVC_PROD_PROFILE), where traffic is not captured: unset {what}, or set SVC_FORCE_TRAFFIC_CAPTURE=1',
  },
  NOT_LIVE: {
    ...{ rpc: null, http: 404, kind: 'not-found' },
    template:
      'No captured traffic is kept for reading: {reason}. A sink of kind admin_live in SVC_TRAFFIC_CONFIG keeps it',
  },
  NOT_LOCAL: {
    ...{ rpc: null, http: 403, kind: 'policy-denied' },
    template: 'Captured traffic is shown to callers on this machine alone',
  },
});
