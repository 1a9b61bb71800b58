/** Settings of the skills that are served to agents. */
import { type Static, Type } from 'typebox';
import { count, flag, shared } from '../../../../schemas/settings.ts';

export const settings = Type.Object({
  agent_skills: flag(true, 'serve the skill packages to agents: skills/list, skills/get and skill:// resources'),
  skills_page_size: count(50, 'skills per skills/list page', 1, 1000),
  resources_page_size: shared.resources_page_size,
  enable_resources: shared.enable_resources,
});

export type Settings = Static<typeof settings>;
