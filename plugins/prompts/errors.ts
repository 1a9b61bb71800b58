/** Rows of the error table for prompts: JSON-RPC says "invalid params" for all of them, as MCP asks. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const promptErrors = defineErrors('SVC_PROMPTS', {
  ...alike([-32602, 404, 'not-found'], {
    NOT_FOUND:
      'No prompt is named "{name}": prompts/list shows what there is; a prompt is there while its skill is loaded',
  }),
  ...alike([-32602, 400, 'invalid-params'], {
    MISSING_ARGUMENT: 'Prompt "{name}" needs the argument "{argument}": give it in "arguments"',
    BAD_ARGUMENT: 'Argument "{argument}" of prompt "{name}" must be a text, not {type}',
  }),
  CANNOT_ASK: {
    ...{ rpc: -32603, http: 409 },
    template: 'The client cannot be asked for {method} while prompt "{prompt}" is rendered: no MCP client waits for it',
  },
  FAILED: { rpc: -32603, http: 502, kind: 'backend-error', template: 'Prompt "{name}" cannot be rendered: {reason}' },
  ...alike([-32602, 413, 'invalid-params'], {
    TOO_LARGE: 'Prompt "{name}" would be longer than {limit} characters with these arguments: give shorter ones',
  }),
});
