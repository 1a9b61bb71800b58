/** What a reader should know of a skill's words before following them: remarks of the reading, and what was not approved. */
import type { SuspectFlag } from '../../../schemas/suspect-text.ts';
import { itself } from '../packages/review.ts';
import type { CatalogSkill } from './catalog.ts';

/** `changed`: it says something else than what was approved. */
export type SkillFlag = SuspectFlag | 'changed';

export type Flagged = Pick<CatalogSkill, 'changed'> & { package: Pick<CatalogSkill['package'], 'manifest'> };

/** Of one tool, or of what the skill says beside its tools. */
export function flagsOf({ package: { manifest }, changed }: Flagged, tool = itself): SkillFlag[] {
  const { skill, tools } = manifest.review;
  const flags = tool === itself ? skill.flags : (Object.hasOwn(tools, tool) && tools[tool]?.flags) || [];
  return changed?.has(tool) ? ['changed', ...flags] : [...flags];
}

/** Of the skill and all its tools, each once. */
export const allFlags = (skill: Flagged): SkillFlag[] => [
  ...new Set([itself, ...Object.keys(skill.package.manifest.review.tools)].flatMap(tool => flagsOf(skill, tool))),
];
