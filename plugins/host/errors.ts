/** Rows of the error table for tools whose handlers live on the host's main thread. */
import { defineErrors } from '../../kernel/light.ts';
import { alike } from '../../schemas/error-rows.ts';

export const hostErrors = defineErrors('SVC_HOST', {
  ...alike([-32002, 503, 'host-busy'], {
    BUSY: 'The host is busy: {limit} calls wait for its main thread already. Try again later',
  }),
  ...alike([-32002, 502, 'backend-error'], {
    TIMEOUT: 'The host did not answer in time: {state}',
    GONE: 'The handler of this tool was removed from the host',
    RESULT_UNSENDABLE: 'The result of the host handler cannot be sent as JSON: {reason}. Return plain data',
  }),
  CANCELLED: { rpc: -32002, http: 499, template: 'The call was cancelled: {state}' },
  HANDLER_FAILED: { rpc: -32002, http: 500, template: '{message}' },
});
