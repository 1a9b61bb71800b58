/** What a caller can be told about skills as such; failures of their code are the runtimes' rows. */
import { defineErrors } from '../../kernel/index.ts';

export const skillErrors = defineErrors('SVC_SKILLS', {
  NOT_FOUND: {
    rpc: -32002,
    http: 404,
    kind: 'skill-not-found',
    template: 'No skill is named "{skill}": call search_skills or list_skills for the names',
  },
  SKIPPED: {
    rpc: -32002,
    http: 422,
    template: 'Skill "{skill}" was rejected ({reason_code}): {reason} {suggested_fix}',
  },
  INVALID: { rpc: -32002, http: 422, template: 'Skill "{skill}" cannot be set up ({reason_code}): {reason}' },
  MISSING_DEPENDENCIES: {
    rpc: -32002,
    http: 424,
    template: 'Skill "{skill}" needs skills that are not there: {missing}. Add them to a skill path and load it again',
  },
  DEPENDENCY_CYCLE: {
    rpc: -32002,
    http: 409,
    template: 'Skills depend on each other in a cycle: {cycle}. Remove one "depends" entry of it',
  },
  HAS_DEPENDENTS: {
    rpc: -32002,
    http: 409,
    template: 'Skill "{skill}" is needed by loaded skills: unload {dependents} first',
  },
  NOT_LOADED: {
    rpc: -32002,
    http: 409,
    kind: 'skill-not-loaded',
    template: 'Tool "{tool}" is not available: skill "{skill}" was unloaded. Call load_skill with skill_name "{skill}"',
  },
  UNKNOWN_GROUP: {
    rpc: -32002,
    http: 404,
    kind: 'group-not-found',
    template: 'Skill "{skill}" has no tool group "{group}": {known}',
  },
  CLOSED: { rpc: -32002, http: 503, template: 'Skill "{skill}" cannot be loaded: the server is closing' },
  SCAFFOLD_REFUSED: { rpc: -32002, http: 400, template: 'The skill was not created: {reason}' },
});
