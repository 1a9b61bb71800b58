/** What to call instead of a tool that does not exist. */
import type { SkillCandidate } from './api.ts';
import { stubPrefix } from './definition.ts';
import type { RegisteredTool, ToolTable } from './tool-table.ts';

/** What a wrong name may have meant: the tools there are, and those of skills that are not loaded. */
export interface Known {
  table: Pick<ToolTable, 'list'>;
  candidates(): readonly SkillCandidate[];
}

/** Names looked at: a wrong name must not cost a walk over ten thousand tools. */
const looked = 2000;

/** A sentence for the message of SVC_TOOLS_NOT_FOUND. */
export function notFoundHint(name: string, { table, candidates }: Known): string {
  const stub = name.match(stubPrefix);
  if (stub) {
    const target = JSON.stringify(name.slice(stub[0].length, stub[0].length + 80));
    return stub[1] === 'skill'
      ? `It is a stub: call load_skill with {"skill_name": ${target}} and then the tools that it registers`
      : `It is a stub: call activate_tool_group with {"group_name": ${target}} and then the tools of the group`;
  }
  const owners = ownersOf(name, candidates());
  if (owners.length > 0) {
    const [first = ''] = owners;
    const others = owners.slice(1, 3).map(each => `, or with ${JSON.stringify(each)}`);
    return `It belongs to a skill that is not loaded: call load_skill with {"skill_name": ${JSON.stringify(first)}}${others.join('')}, then call it again`;
  }
  const near = nearestNames(name, fingerprints(table.list()));
  const meant = near.length > 0 ? `Did you mean ${near.join(', ')}? ` : '';
  return `${meant}Call search_tools or tools/list to find the tools there are`;
}

/** Skills that would bring a tool of that name, bare or qualified, with `-` or `_`. */
function ownersOf(name: string, skills: readonly SkillCandidate[]): string[] {
  const wanted = name.replaceAll('-', '_');
  return skills
    .slice(0, looked)
    .filter(({ skill_name, tools }) =>
      tools.some(each => {
        const bare = each.name.replaceAll('-', '_');
        return bare === wanted || `${skill_name.replaceAll('-', '_')}__${bare}` === wanted;
      }),
    )
    .map(each => each.skill_name);
}

interface Fingerprint {
  name: string;
  pairs: Set<string>;
}

// A list is a new array whenever a tool changes, so its fingerprints live as long as it does.
const known = new WeakMap<readonly RegisteredTool[], Fingerprint[]>();

function fingerprints(tools: readonly RegisteredTool[]): Fingerprint[] {
  const found =
    known.get(tools) ?? tools.slice(0, looked).map(({ record: { name } }) => ({ name, pairs: pairs(name) }));
  known.set(tools, found);
  return found;
}

/** Up to three names that resemble `name`, the most alike first. */
function nearestNames(name: string, names: readonly Fingerprint[]): string[] {
  if (name.length > 128) return [];
  const wanted = pairs(name);
  return names
    .map(each => ({ name: each.name, score: likeness(wanted, each.pairs) }))
    .filter(({ score }) => score >= 0.4)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(each => each.name);
}

/** Pairs of neighbouring letters, separators left out: `create_sphere` and `createSphere` are alike. */
function pairs(name: string): Set<string> {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = new Set<string>();
  for (let index = 0; index < letters.length - 1; index += 1) found.add(letters.slice(index, index + 2));
  return found;
}

/** Sørensen–Dice coefficient of two sets, 0 to 1. */
function likeness(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const each of a) if (b.has(each)) common += 1;
  return (2 * common) / (a.size + b.size);
}
