/** Rows of the error table for webhooks. */
import { defineErrors } from '../../kernel/index.ts';

export const webhookErrors = defineErrors('SVC_WEBHOOKS', {
  CONFIG_INVALID: { rpc: null, http: 400, template: 'Webhooks of {source} cannot be used: {reason}' },
});
