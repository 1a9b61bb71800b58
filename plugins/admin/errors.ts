/** Rows of the error table for the admin page. */
import { defineErrors } from '../../kernel/index.ts';

export const adminErrors = defineErrors('SVC_ADMIN', {
  LOCAL_ONLY: {
    ...{ rpc: null, http: 403, kind: 'policy-denied' },
    template:
      'The admin page, with what it reads, is for people at the machine of the gateway: open it there, through a tunnel to it, or let the ' +
      'gateway ask for tokens (auth_tokens_file) and sign in',
  },
  ORIGIN: {
    ...{ rpc: null, http: 403, kind: 'policy-denied' },
    template: 'The admin page answers itself alone, and this request comes from {origin}',
  },
  TOKEN: {
    ...{ rpc: null, http: 403, kind: 'policy-denied' },
    template: 'Changes need the token of the page as {header}: load the page again, the gateway has been started anew',
  },
  INPUT: { rpc: null, http: 400, kind: 'bad-request', template: '{reason}' },
  NO_WEBHOOK: {
    ...{ rpc: null, http: 404, kind: 'not-found' },
    template: 'There is no webhook "{name}" in {file}',
  },
  NAME_TAKEN: {
    ...{ rpc: null, http: 409, kind: 'conflict' },
    template: 'There is a webhook "{name}" already in {file}: edit that one, or give this one another name',
  },
  NOT_BUILT: {
    ...{ rpc: null, http: 503 },
    template: 'The admin page is not built: run "npm run build", then start the gateway again',
  },
});
