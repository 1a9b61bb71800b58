/** Rows of the error table for what can go wrong between the gateway and an instance. */
import { defineErrors } from '../../../kernel/index.ts';

export const backendErrors = defineErrors('SVC_BACKENDS', {
  UNREACHABLE: {
    rpc: -32603,
    http: 503,
    kind: 'instance-offline',
    template: '{backend} cannot be reached at {origin}: {reason}. Search again: another instance may serve this',
  },
  GONE: {
    rpc: -32603,
    http: 502,
    kind: 'host-died',
    template: '{backend} has gone ({reason}) before it answered: search again, another instance may serve this',
  },
  BROKEN: {
    rpc: -32603,
    http: 502,
    kind: 'backend-error',
    template: '{backend} broke the connection before it answered ({reason}): whether {what} took effect is not known',
  },
  TIMEOUT: {
    rpc: -32603,
    http: 502,
    kind: 'backend-error',
    template: '{backend} did not answer {what} within {timeout_ms} ms',
  },
  CIRCUIT_OPEN: {
    rpc: -32603,
    http: 503,
    kind: 'instance-offline',
    template: '{backend} failed {failures} times in a row and is left alone for now: retry in {retry_after_secs} s',
  },
  BUSY: {
    rpc: -32603,
    http: 503,
    kind: 'host-busy',
    template: '{backend} has {limit} calls in flight already: retry in {retry_after_secs} s',
  },
  OVERLOADED: {
    rpc: -32603,
    http: 503,
    kind: 'host-busy',
    template: '{backend} refuses {what} for now ({reason}): retry in {retry_after_secs} s',
  },
  BAD_ANSWER: {
    rpc: -32603,
    http: 502,
    kind: 'backend-error',
    template: '{backend} gave no proper answer to {what}: {reason}',
  },
  TOO_LARGE: {
    rpc: -32603,
    http: 502,
    kind: 'backend-error',
    template: '{backend} answered {what} with more than {limit} bytes: ask it for less',
  },
  RPC_ERROR: { rpc: -32603, http: 502, kind: 'backend-error', template: '{reason}' },
});
