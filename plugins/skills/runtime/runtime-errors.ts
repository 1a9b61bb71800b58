/** What can go wrong where skill code runs: building it, starting it, and its own failures. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';
import { smallerResult } from '../../../schemas/result-size.ts';

export const runtimeErrors = defineErrors('SVC_SKILLS_RUNTIME', {
  ...alike([-32002, 422], {
    BUILD_FAILED: 'Skill "{skill}" cannot be built: {reason}',
    NOT_A_TOOL:
      'Skill "{skill}": {file} must have a function as its default export, for example ' +
      '"export default (args, ctx) => ({ success: true })", but it has {found}',
    START_FAILED: 'Skill "{skill}" cannot be started: {reason}',
  }),
  ...alike([-32002, 404, 'unknown-slug'], {
    UNKNOWN_TOOL: 'Skill "{skill}" runs no tool "{tool}"; it runs: {known}',
  }),
  ...alike([-32002, 424], {
    NO_PYTHON:
      'Tool "{tool}" has no Python environment: {reason}. Put that right, then call load_skill with skill_name "{skill}"',
  }),
  ...alike([-32002, 409, 'skill-not-loaded'], {
    CLOSED: 'Skill "{skill}" has been unloaded: load it again, then call the tool',
  }),
  ...alike([-32002, 502, 'backend-error'], {
    TOOL_FAILED: 'Tool "{tool}" of skill "{skill}" failed: {reason}',
    RESULT_INVALID: 'Tool "{tool}" of skill "{skill}" returned what cannot be sent as JSON: {reason}',
    TERMINATED: 'Tool "{tool}" of skill "{skill}" was ended: {reason}. The skill starts afresh on the next call',
    CRASHED: 'Skill "{skill}" ended while its tool "{tool}" ran: it {reason}. It starts afresh on the next call',
    CRASH_LOOP:
      'Skill "{skill}" ended {count} times within {window_secs} s (last: it {reason}) and is paused for ' +
      '{pause_secs} s: correct its code, or load it again',
    SCRIPT_FAILED: 'Script {file} of tool "{tool}" ended with {how}: {output}',
    SCRIPT_OUTPUT: `Script {file} of tool "{tool}" was ended: it printed more than {limit} bytes (max_result_bytes): ${smallerResult}`,
    INTERPRETER_MISSING: 'Script {file} of tool "{tool}" needs {interpreter}, which is not on the PATH: {remedy}',
    INTERPRETER_REFUSED:
      'Script {file} of tool "{tool}" is for {dcc}, whose modules the ambient Python lacks: set SVC_PYTHON_EXECUTABLE ' +
      'to the interpreter of {dcc}, or SVC_ALLOW_AMBIENT_PYTHON=1 to run it all the same',
  }),
  ...alike([-32002, 409, 'affinity-violation'], {
    NOT_IN_PROCESS:
      'Tool "{tool}" of skill "{skill}" must run in the host process (requires_in_process), but {reason}: make it a ' +
      'module of a skill with isolation "worker", register a handler through the host, or drop requires_in_process',
  }),
});
