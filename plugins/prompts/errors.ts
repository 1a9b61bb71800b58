/** Rows of the error table for prompts: JSON-RPC says "invalid params" for all of them, as MCP asks. */
import { defineErrors } from '../../kernel/index.ts';

export const promptErrors = defineErrors('SVC_PROMPTS', {
  NOT_FOUND: {
    rpc: -32602,
    http: 404,
    kind: 'not-found',
    template:
      'No prompt is named "{name}": prompts/list shows what there is; a prompt is there while its skill is loaded',
  },
  MISSING_ARGUMENT: {
    rpc: -32602,
    http: 400,
    kind: 'invalid-params',
    template: 'Prompt "{name}" needs the argument "{argument}": give it in "arguments"',
  },
  BAD_ARGUMENT: {
    rpc: -32602,
    http: 400,
    kind: 'invalid-params',
    template: 'Argument "{argument}" of prompt "{name}" must be a text, not {type}',
  },
  FAILED: {
    rpc: -32603,
    http: 502,
    kind: 'backend-error',
    template: 'Prompt "{name}" cannot be rendered: {reason}',
  },
  TOO_LARGE: {
    rpc: -32602,
    http: 413,
    kind: 'invalid-params',
    template: 'Prompt "{name}" would be longer than {limit} characters with these arguments: give shorter ones',
  },
});
