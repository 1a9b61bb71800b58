/** What can go wrong where skill code runs: building it, starting it, and its own failures. */
import { defineErrors } from '../../../kernel/index.ts';

/** The code of a skill failed. */
const failed = { rpc: -32002, http: 502, kind: 'backend-error' };

export const runtimeErrors = defineErrors('SVC_SKILLS_RUNTIME', {
  BUILD_FAILED: { rpc: -32002, http: 422, template: 'Skill "{skill}" cannot be built: {reason}' },
  NOT_A_TOOL: {
    rpc: -32002,
    http: 422,
    template:
      'Skill "{skill}": {file} must have a function as its default export, for example ' +
      '"export default (args, ctx) => ({ success: true })", but it has {found}',
  },
  START_FAILED: { rpc: -32002, http: 422, template: 'Skill "{skill}" cannot be started: {reason}' },
  UNKNOWN_TOOL: {
    rpc: -32002,
    http: 404,
    kind: 'unknown-slug',
    template: 'Skill "{skill}" runs no tool "{tool}"; it runs: {known}',
  },
  CLOSED: {
    rpc: -32002,
    http: 409,
    kind: 'skill-not-loaded',
    template: 'Skill "{skill}" has been unloaded: load it again, then call the tool',
  },
  TOOL_FAILED: {
    ...failed,
    template: 'Tool "{tool}" of skill "{skill}" failed: {reason}',
  },
  RESULT_INVALID: {
    ...failed,
    template: 'Tool "{tool}" of skill "{skill}" returned what cannot be sent as JSON: {reason}',
  },
  TERMINATED: {
    ...failed,
    template: 'Tool "{tool}" of skill "{skill}" was ended: {reason}. The skill starts afresh on the next call',
  },
  CRASHED: {
    ...failed,
    template: 'Skill "{skill}" ended while its tool "{tool}" ran: it {reason}. It starts afresh on the next call',
  },
  CRASH_LOOP: {
    ...failed,
    template:
      'Skill "{skill}" ended {count} times within {window_secs} s (last: it {reason}) and is paused for ' +
      '{pause_secs} s: correct its code, or load it again',
  },
  SCRIPT_FAILED: {
    ...failed,
    template: 'Script {file} of tool "{tool}" ended with {how}: {output}',
  },
  SCRIPT_OUTPUT: {
    ...failed,
    template:
      'Script {file} of tool "{tool}" was ended: it printed more than {limit_mb} MB; write large results to a file',
  },
  INTERPRETER_MISSING: {
    ...failed,
    template: 'Script {file} of tool "{tool}" needs {interpreter}, which is not on the PATH: {remedy}',
  },
  NOT_IN_PROCESS: {
    rpc: -32002,
    http: 409,
    kind: 'affinity-violation',
    template:
      'Tool "{tool}" of skill "{skill}" must run in the host process (requires_in_process), but {reason}: make it a ' +
      'module of a skill with isolation "worker", register a handler through the host, or drop requires_in_process',
  },
  INTERPRETER_REFUSED: {
    ...failed,
    template:
      'Script {file} of tool "{tool}" is for {dcc}, whose modules the ambient Python lacks: set SVC_PYTHON_EXECUTABLE ' +
      'to the interpreter of {dcc}, or SVC_ALLOW_AMBIENT_PYTHON=1 to run it all the same',
  },
});
