/** Rows of the error table for feedback; kinds are words of the published API. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const feedbackErrors = defineErrors('SVC_FEEDBACK', {
  ...alike([null, 400, 'invalid-feedback'], {
    INVALID: 'The feedback is refused: {reason}',
  }),
  ...alike([null, 413, 'invalid-feedback'], {
    TOO_LARGE: 'The feedback is larger than {limit} bytes',
  }),
  ...alike([null, 400, 'invalid-feedback-query'], {
    QUERY: 'The query is refused: {reason}',
  }),
  ...alike([null, 500, 'feedback-read-failed'], {
    UNREADABLE: 'Stored feedback cannot be read: {reason}',
  }),
  ...alike([null, 500, 'feedback-write-failed'], {
    UNWRITABLE: 'The feedback is not accepted, because it cannot be stored: {reason}',
  }),
  ...alike([null, 409], {
    LATE: 'The feedback tool must be registered before the server starts',
    REGISTERED: 'The feedback tool is registered already: undo that first',
  }),
  ...alike([null, 400], {
    OPTIONS: 'The feedback tool cannot be registered: {reason}',
  }),
});
