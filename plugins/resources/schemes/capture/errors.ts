/** Rows of the error table for window captures. */
import { defineErrors } from '../../../../kernel/index.ts';

export const captureErrors = defineErrors('SVC_CAPTURE', {
  FAILED: { rpc: -32603, http: 500, kind: 'internal', template: 'The window could not be captured: {reason}' },
});
