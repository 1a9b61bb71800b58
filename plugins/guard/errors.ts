/** Rows of the error table for who may not, and for who asks too much (shape:auth). */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const guardErrors = defineErrors('SVC_GUARD', {
  ...alike([-32600, 401, 'unauthorized'], {
    UNAUTHORIZED: 'This server asks for a token ({reason}): the header Authorization carries one, after "Bearer"',
  }),
  ...alike([-32600, 403, 'dcc_scope_mismatch'], {
    DCC_SCOPE: 'The token of "{label}" may not register instances of "{dcc_type}"',
  }),
  ...alike([-32600, 403, 'insufficient-scope'], {
    SCOPE: 'The token of "{label}" is not good for this: it takes the scope "{scope}"',
  }),
  ...alike([-32600, 403], {
    HOST_FORBIDDEN: 'Host "{host}" is not served here: use the address itself, or add the name to allowed_hosts',
    ORIGIN_FORBIDDEN: 'Origin "{origin}" may not use this server: add it to allowed_origins',
  }),
  ...alike([-32600, 400], {
    HOST_UNCLEAR: 'A request names one Host: send the header once',
  }),
  URL_TOO_LONG: {
    rpc: -32600,
    http: 414,
    template: 'The address is longer than {max_url_length} characters (max_url_length)',
  },
  ...alike([-32600, 429], {
    RATE_LIMITED:
      'Too many requests: at most {limit} a minute (rate_limit_per_minute), try again in {retry_after_secs} s',
    TOO_MANY_REQUESTS: '{limit} requests of yours are under way (max_requests_per_caller): wait for one of them',
    TOO_MANY_STREAMS: '{limit} event streams of yours are open (max_streams_per_caller): close one of them',
  }),
  UNAUTHENTICATED_BIND: {
    ...{ rpc: null, http: 400 },
    template:
      'Not listening on {host} without authentication: whoever reaches it could call the tools. Give auth_tokens_file, ' +
      'auth_tokens or oauth_issuer, or say insecure_bind if something else keeps others out',
  },
  OAUTH_SETTINGS: { rpc: null, http: 400, template: 'The OAuth settings cannot be used: {reason}' },
  TOKENS_FILE: { rpc: null, http: 400, template: 'The tokens in {file} cannot be used: {reason}' },
  TOKEN_ENTRY: { rpc: null, http: 400, template: 'The token of "{label}" cannot be used: {reason}' },
});
