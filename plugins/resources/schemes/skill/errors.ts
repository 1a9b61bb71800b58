/** Rows of the error table for served skills. */
import { defineErrors } from '../../../../kernel/index.ts';
import { alike } from '../../../../schemas/error-rows.ts';

export const servedSkillErrors = defineErrors('SVC_AGENT_SKILLS', {
  ...alike([-32602, 404, 'skill-not-found'], {
    NOT_SERVED: 'No skill is served at {uri} ({reason}): skills/list shows those that are',
  }),
  ...alike([-32602, 404, 'not-found'], {
    NOT_A_DIRECTORY: '{uri} is no directory: give the URI of a skill without "/SKILL.md", or of a folder in it',
  }),
  ...alike([-32602, 400, 'invalid-params'], {
    IS_A_DIRECTORY: '{uri} is a directory: resources/directory/read lists what is in it',
  }),
});
