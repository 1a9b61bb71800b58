/** Settings of the skills that are served to agents. */
import { type Static, Type } from 'typebox';
import { shared } from '../../../../schemas/settings.ts';

export const settings = Type.Object({
  agent_skills: shared.agent_skills,
  skills_page_size: shared.skills_page_size,
  resources_page_size: shared.resources_page_size,
  enable_resources: shared.enable_resources,
});

export type Settings = Static<typeof settings>;
