/** Rows of the error table for tasks. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

const undeclared = { rpc: -32021, http: 400 };

export const taskErrors = defineErrors('SVC_TASKS', {
  UNDECLARED: {
    ...undeclared,
    template: '{method} is for clients with tasks: declare {extension} in the extensions of the client capabilities',
  },
  REQUIRED: {
    ...undeclared,
    template: 'Tool "{tool}" runs as a task only: declare {extension} in the extensions of the client capabilities',
  },
  ...alike([-32603, 400], {
    UNASKABLE: 'The client cannot be asked for {method}: it has not declared the capability {capability}',
  }),
});
