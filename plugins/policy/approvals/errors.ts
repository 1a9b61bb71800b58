/** Rows of the error table for approvals. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const approvalErrors = defineErrors('SVC_APPROVALS', {
  ...alike([-32602, 404, 'not-found'], {
    NOTHING_WAITS: 'Nothing that "{name}" says waits to be accepted: {waiting}',
  }),
  ...alike([-32602, 409], {
    CHANGED_AGAIN: '"{name}" says something else by now ({fingerprint}): look at it again before you accept it',
    SEVERAL: '"{name}" is the name of {count} that wait: give the key of one, {shown}',
  }),
  ...alike([-32602, 400, 'bad-request'], {
    BAD_REQUEST: 'Bad request: {reason}',
  }),
});
