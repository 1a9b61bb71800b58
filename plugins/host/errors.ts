/** Rows of the error table for tools whose handlers live on the host's main thread. */
import { defineErrors } from '../../kernel/light.ts';

export const hostErrors = defineErrors('SVC_HOST', {
  BUSY: {
    rpc: -32002,
    http: 503,
    kind: 'host-busy',
    template: 'The host is busy: {limit} calls wait for its main thread already. Try again later',
  },
  TIMEOUT: {
    rpc: -32002,
    http: 502,
    kind: 'backend-error',
    template: 'The host did not answer in time: {state}',
  },
  CANCELLED: { rpc: -32002, http: 499, template: 'The call was cancelled: {state}' },
  GONE: {
    rpc: -32002,
    http: 502,
    kind: 'backend-error',
    template: 'The handler of this tool was removed from the host',
  },
  RESULT_UNSENDABLE: {
    rpc: -32002,
    http: 502,
    kind: 'backend-error',
    template: 'The result of the host handler cannot be sent as JSON: {reason}. Return plain data',
  },
  HANDLER_FAILED: { rpc: -32002, http: 500, template: '{message}' },
});
