/** Rows of the error table for OpenUSD projects. */
import { defineErrors } from '../../../../kernel/index.ts';
import { alike } from '../../../../schemas/error-rows.ts';

export const usdErrors = defineErrors('SVC_OPENUSD', {
  BAD_PROJECT: { rpc: -32602, http: 400, template: 'The OpenUSD project cannot be registered: {reason}' },
  ...alike([-32602, 409], {
    TAKEN: 'The OpenUSD project "{label}" is registered already: dispose of it first',
  }),
  ...alike([-32602, 403], {
    OUTSIDE: '{name} lies outside the project root, so it is never read: move it below the root',
  }),
  MISSING: { rpc: -32602, http: 404, template: 'The file of {uri} is missing or is no regular file' },
  ...alike([-32603, 507], {
    TOO_LARGE: 'The file of {uri} has {bytes} bytes, over the limit of {limit}: open it through its file_ref instead',
  }),
});
