/** Rows of the error table that the tools plugin owns (specification: Errors). */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';
import { smallerResult } from '../../schemas/result-size.ts';

export const toolErrors = defineErrors('SVC_TOOLS', {
  NOT_FOUND: {
    ...{ rpc: -32000, session: -32602, http: 404, kind: 'unknown-slug' },
    template: 'Tool "{tool}" is not found. {hint}',
  },
  ...alike([-32001, 400, 'invalid-params'], {
    INVALID_ARGUMENTS: 'Invalid arguments for tool "{tool}": {reason}',
  }),
  ...alike([-32002, 409, 'skill-not-loaded'], {
    DISABLED:
      'Tool "{tool}" is disabled: its group "{group}" is inactive. Call activate_tool_group with {"group_name": "{group}"} first',
  }),
  ...alike([-32002, 503, 'not-ready'], {
    NO_HANDLER: 'Tool "{tool}" is listed but has no handler: whoever owns it must register one before it can be called',
  }),
  ...alike([-32002, 409, 'thread-affinity-violation'], {
    AFFINITY:
      'Tool "{tool}" must run on the host main thread, but its handler does not live there: register the handler through the host or drop enforce_thread_affinity',
  }),
  ...alike([-32002, 502, 'backend-error'], {
    TIMEOUT: 'Tool "{tool}" did not finish within {timeout_ms} ms: {advice}',
    FAILED: 'Tool "{tool}" failed: {reason}',
    RESULT_TOO_LARGE: `The result of tool "{tool}" is at least {size} bytes long, at most {limit} are taken (max_result_bytes): ${smallerResult}`,
    UNCHECKED:
      'The {what} of tool "{tool}" cannot be checked: {reason}. Its {field} needs simpler patterns, or fewer alternatives and references',
  }),
  ...alike([-32002, 409], {
    CANNOT_ASK: 'The client cannot be asked for {method}: {reason}',
  }),
  ...alike([-32002, 404, 'group-not-found'], {
    GROUP_UNKNOWN: 'Tool group "{group}" is unknown{where}. {known}',
  }),
  ...alike([-32002, 400], {
    DEFINITION_INVALID: 'The definition of tool "{tool}" is not valid: {reason}',
    SCHEMA_INVALID: 'The {field} of tool "{tool}" is not valid: {reason}',
    NAME_INVALID: 'The name "{tool}" is not valid: {reason}. Use 1 to 64 letters, digits, "_" and "-"',
    NAME_TOO_LONG:
      'The published name "{tool}" has {length} characters, at most 64 are allowed: shorten the action{or_skill} name',
    GROUP_INVALID: 'The tool group "{group}" is not valid: {reason}',
  }),
  ...alike([-32002, 409], {
    NAME_TAKEN: 'The tool name "{tool}" is taken already by {taken_by}: choose another name',
  }),
});
