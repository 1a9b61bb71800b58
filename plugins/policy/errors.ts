/** Rows of the error table for the policy. */
import { defineErrors } from '../../kernel/index.ts';

export const policyErrors = defineErrors('SVC_POLICY', {
  FILE_INVALID: { rpc: null, http: 400, template: 'The policy {file} cannot be used: {reason}' },
});
