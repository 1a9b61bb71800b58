/** Rows of the error table that the tools plugin owns (specification: Errors). */
import { defineErrors } from '../../kernel/index.ts';

export const toolErrors = defineErrors('SVC_TOOLS', {
  NOT_FOUND: {
    rpc: -32000,
    sessionless: -32602,
    http: 404,
    kind: 'unknown-slug',
    template: 'Tool "{tool}" is not found. {hint}',
  },
  INVALID_ARGUMENTS: {
    rpc: -32001,
    http: 400,
    kind: 'invalid-params',
    template: 'Invalid arguments for tool "{tool}": {reason}',
  },
  DISABLED: {
    rpc: -32002,
    http: 409,
    kind: 'skill-not-loaded',
    template:
      'Tool "{tool}" is disabled: its group "{group}" is inactive. Call activate_tool_group with {"group_name": "{group}"} first',
  },
  NO_HANDLER: {
    rpc: -32002,
    http: 503,
    kind: 'not-ready',
    template: 'Tool "{tool}" is listed but has no handler: whoever owns it must register one before it can be called',
  },
  AFFINITY: {
    rpc: -32002,
    http: 409,
    kind: 'thread-affinity-violation',
    template:
      'Tool "{tool}" must run on the host main thread, but its handler does not live there: register the handler through the host or drop enforce_thread_affinity',
  },
  TIMEOUT: {
    rpc: -32002,
    http: 502,
    kind: 'backend-error',
    template:
      'Tool "{tool}" did not finish within {timeout_ms} ms: try a smaller request, or run it as a background job with a progress token or _meta.dcc.async',
  },
  FAILED: { rpc: -32002, http: 502, kind: 'backend-error', template: 'Tool "{tool}" failed: {reason}' },
  GROUP_UNKNOWN: {
    rpc: -32002,
    http: 404,
    kind: 'group-not-found',
    template: 'Tool group "{group}" is unknown{where}. {known}',
  },
  DEFINITION_INVALID: { rpc: -32002, http: 400, template: 'The definition of tool "{tool}" is not valid: {reason}' },
  SCHEMA_INVALID: { rpc: -32002, http: 400, template: 'The {field} of tool "{tool}" is not valid: {reason}' },
  NAME_INVALID: {
    rpc: -32002,
    http: 400,
    template: 'The name "{tool}" is not valid: {reason}. Use 1 to 64 letters, digits, "_" and "-"',
  },
  NAME_TOO_LONG: {
    rpc: -32002,
    http: 400,
    template:
      'The published name "{tool}" has {length} characters, at most 64 are allowed: shorten the action{or_skill} name',
  },
  NAME_TAKEN: {
    rpc: -32002,
    http: 409,
    template: 'The tool name "{tool}" is taken already by {taken_by}: choose another name',
  },
  GROUP_INVALID: { rpc: -32002, http: 400, template: 'The tool group "{group}" is not valid: {reason}' },
});
