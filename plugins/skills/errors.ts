/** What a caller can be told about skills as such; failures of their code are the runtimes' rows. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const skillErrors = defineErrors('SVC_SKILLS', {
  ...alike([-32002, 404, 'skill-not-found'], {
    NOT_FOUND: 'No skill is named "{skill}": call search_skills or list_skills for the names',
  }),
  ...alike([-32002, 422], {
    SKIPPED: 'Skill "{skill}" was rejected ({reason_code}): {reason} {suggested_fix}',
    INVALID: 'Skill "{skill}" cannot be set up ({reason_code}): {reason}',
  }),
  ...alike([-32002, 424], {
    MISSING_DEPENDENCIES:
      'Skill "{skill}" needs skills that are not there: {missing}. Add them to a skill path and load it again',
  }),
  ...alike([-32002, 409], {
    DEPENDENCY_CYCLE: 'Skills depend on each other in a cycle: {cycle}. Remove one "depends" entry of it',
    HAS_DEPENDENTS: 'Skill "{skill}" is needed by loaded skills: unload {dependents} first',
  }),
  ...alike([-32002, 409, 'skill-not-loaded'], {
    NOT_LOADED:
      'Tool "{tool}" is not available: skill "{skill}" was unloaded. Call load_skill with skill_name "{skill}"',
  }),
  ...alike([-32002, 404, 'group-not-found'], {
    UNKNOWN_GROUP: 'Skill "{skill}" has no tool group "{group}": {known}',
  }),
  CLOSED: { rpc: -32002, http: 503, template: 'Skill "{skill}" cannot be loaded: the server is closing' },
  SCAFFOLD_REFUSED: { rpc: -32002, http: 400, template: 'The skill was not created: {reason}' },
});
