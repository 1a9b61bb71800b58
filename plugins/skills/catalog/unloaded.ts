/** How skills that are not loaded look in lists of tools: a stub each, and what a search of tools offers of them. */
import type { SkillCandidate, ToolStub } from '../../tools/api.ts';
import type { CatalogSkill } from './catalog.ts';
import { allFlags } from './flags.ts';
import { oneLine } from './summaries.ts';

export const stubOf = ({ package: { name, manifest } }: CatalogSkill): ToolStub => ({
  // A tool name has at most 64 characters.
  name: `__skill__${name.slice(0, 55)}`,
  description: oneLine(manifest.description),
});

export function candidateOf(skill: CatalogSkill): SkillCandidate {
  const { name, manifest } = skill.package;
  const flags = allFlags(skill);
  return {
    skill_name: name,
    description: manifest.description,
    tags: manifest.tags,
    dcc: manifest.dcc,
    scope: skill.root.scope,
    tool_count: manifest.tools.length,
    tools: manifest.tools.map(each => ({ name: each.name, description: each.description, group: each.group })),
    ...(flags.length > 0 && { flags }),
  };
}
