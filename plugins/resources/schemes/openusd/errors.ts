/** Rows of the error table for OpenUSD projects. */
import { defineErrors } from '../../../../kernel/index.ts';

export const usdErrors = defineErrors('SVC_OPENUSD', {
  BAD_PROJECT: { rpc: -32602, http: 400, template: 'The OpenUSD project cannot be registered: {reason}' },
  TAKEN: {
    rpc: -32602,
    http: 409,
    template: 'The OpenUSD project "{label}" is registered already: dispose of it first',
  },
  OUTSIDE: {
    rpc: -32602,
    http: 403,
    template: '{name} lies outside the project root, so it is never read: move it below the root',
  },
  MISSING: { rpc: -32602, http: 404, template: 'The file of {uri} is missing or is no regular file' },
  TOO_LARGE: {
    rpc: -32603,
    http: 507,
    template: 'The file of {uri} has {bytes} bytes, over the limit of {limit}: open it through its file_ref instead',
  },
});
