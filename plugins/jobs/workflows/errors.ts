/** Rows of the error table that the workflows plugin owns. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const workflowErrors = defineErrors('SVC_WORKFLOWS', {
  ...alike([-32602, 400], {
    INVALID: 'The workflow is not valid: {reason}',
    NO_VALUE: 'Step "{step}" refers to {reference}, which {reason}',
  }),
});
