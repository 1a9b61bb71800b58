/** Rows of the error table for what can go wrong between the gateway and an instance. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const backendErrors = defineErrors('SVC_BACKENDS', {
  TOKENS_FILE: { rpc: null, http: 400, template: 'The tokens in {file} cannot be used: {reason}' },
  ...alike([-32603, 503, 'instance-offline'], {
    UNREACHABLE: '{backend} cannot be reached at {origin}: {reason}. Search again: another instance may serve this',
    CIRCUIT_OPEN: '{backend} failed {failures} times in a row and is left alone for now: retry in {retry_after_secs} s',
  }),
  ...alike([-32603, 502, 'host-died'], {
    GONE: '{backend} has gone ({reason}) before it answered: search again, another instance may serve this',
  }),
  ...alike([-32603, 502, 'backend-error'], {
    BROKEN: '{backend} broke the connection before it answered ({reason}): whether {what} took effect is not known',
    TIMEOUT: '{backend} did not answer {what} within {timeout_ms} ms',
    BAD_ANSWER: '{backend} gave no proper answer to {what}: {reason}',
    TOO_LARGE: '{backend} answered {what} with more than {limit} bytes: ask it for less',
    RPC_ERROR: '{reason}',
  }),
  ...alike([-32603, 503, 'host-busy'], {
    BUSY: '{backend} has {limit} calls in flight already: retry in {retry_after_secs} s',
    OVERLOADED: '{backend} refuses {what} for now ({reason}): retry in {retry_after_secs} s',
  }),
});
