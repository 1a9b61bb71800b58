/** Rows of the error table that the workflows plugin owns. */
import { defineErrors } from '../../../kernel/index.ts';

export const workflowErrors = defineErrors('SVC_WORKFLOWS', {
  INVALID: { rpc: -32602, http: 400, template: 'The workflow is not valid: {reason}' },
  NO_VALUE: { rpc: -32602, http: 400, template: 'Step "{step}" refers to {reference}, which {reason}' },
});
