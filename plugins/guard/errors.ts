/** Rows of the error table for who may not, and for who asks too much (shape:auth). */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const guardErrors = defineErrors('SVC_GUARD', {
  ...alike([-32600, 401, 'unauthorized'], {
    UNAUTHORIZED: 'This server asks for a token ({reason}): send "Authorization: Bearer <token>"',
  }),
  ...alike([-32600, 403, 'dcc_scope_mismatch'], {
    DCC_SCOPE: 'The token of "{label}" may not register instances of "{dcc_type}"',
  }),
  ...alike([-32600, 403, 'insufficient-scope'], {
    SCOPE: 'The token of "{label}" is not good for this: it takes the scope "{scope}"',
  }),
  TOKENS_FILE: { rpc: null, http: 400, template: 'The tokens in {file} cannot be used: {reason}' },
  TOKEN_ENTRY: { rpc: null, http: 400, template: 'The token of "{label}" cannot be used: {reason}' },
});
