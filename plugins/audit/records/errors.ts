/** Rows of the error table. */
import { defineErrors } from '../../../kernel/index.ts';

export const recordErrors = defineErrors('SVC_RECORDS', {
  CURSOR: {
    ...{ rpc: -32602, http: 400, kind: 'bad-request' },
    template: '"cursor" is none that this list gave, or its row is gone: leave it out to begin with the newest',
  },
  FOLDER: {
    ...{ rpc: null, http: 400 },
    template: 'gateway_audit_dir {directory} cannot be used: {reason}',
  },
});
