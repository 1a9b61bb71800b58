/** Settings of what the gateway lists of its instances. */
import { type Static, Type } from 'typebox';
import { shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  agent_skills: shared.agent_skills,
  skills_page_size: shared.skills_page_size,
  enable_resources: shared.enable_resources,
});

export type Settings = Static<typeof settings>;
