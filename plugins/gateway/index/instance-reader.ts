/** Reads what one instance has, over MCP: every page of tools/list, then the skills that are not loaded. Bounded. */
import { createSlices } from '../../../kernel/index.ts';
import { holdsHidden, revealed } from '../../../schemas/hidden-text.ts';
import { objectOf } from '../../../schemas/loose.ts';
import type { CapabilityRecord } from './api.ts';
import { declaredRecord, type Fields, listedRecord, type SkillFacts, textOf } from './records.ts';
import { type Asked, readSkills } from './skill-reader.ts';

export const readLimits = { tools: 20_000, pages: 1000, bytes: 64 * 1024 * 1024 };

/** Names that every server has for itself, and placeholders: none of them is a capability. */
const builtins = new Set(
  [
    'search_skills list_skills get_skill_info load_skill unload_skill activate_tool_group deactivate_tool_group',
    'search_tools list_roots jobs_get_status jobs_cleanup jobs_poll_contract jobs_cancel',
    'list_actions describe_action call_action',
  ].flatMap(names => names.split(' ')),
);
const isOwn = (name: string): boolean => name === '' || builtins.has(name) || /^__(skill|group)__/.test(name);

export interface InstanceReading {
  readonly records: readonly CapabilityRecord[];
  /** What had to be left out. */
  readonly problem: string | undefined;
  /** It answers as our own servers do. */
  readonly ours: boolean;
}

/** `segment` stands for the instance in slugs. Rejects when the tools cannot be listed; a failing skill is only a problem. */
export async function readInstance(backend: Asked, signal: AbortSignal, segment: string): Promise<InstanceReading> {
  const problems: string[] = [];
  const budget = { tools: readLimits.tools, bytes: readLimits.bytes };
  /** False when the tool has no room any more. */
  const affordable = (entry: Fields): boolean => {
    budget.tools -= 1;
    budget.bytes -= JSON.stringify(entry).length;
    return budget.tools >= 0 && budget.bytes >= 0;
  };

  const listed = await listTools(backend, signal, affordable, problems);
  const skills = listed.hasSkills ? await readSkills(backend, signal, listed.entries, problems) : [];
  const facts = new Map(skills.map(each => [each.facts.name, withActive(each.facts, listed.entries)]));
  const { dcc_type, instance_id } = backend.instance;
  const owner = { dcc_type, instance_id, segment };

  const turn = createSlices();
  const records: CapabilityRecord[] = [];
  for (const entry of listed.entries) {
    records.push(listedRecord(owner, entry, facts.get(textOf(objectOf(objectOf(entry._meta).dcc).skill_name))));
    await turn();
  }
  const declared = skills
    .filter(each => !each.loaded)
    .flatMap(({ facts: skill, tools }) => tools.map(entry => ({ skill, entry, name: textOf(entry.name) })))
    .filter(({ name }) => name !== '' && !isUnnamable(name, problems));
  const uses = new Map<string, number>();
  for (const { name } of declared) uses.set(name, (uses.get(name) ?? 0) + 1);
  const taken = new Set(records.map(each => each.backend_tool));
  for (const { skill, entry, name } of declared) {
    if (!affordable(entry)) break;
    // The name that the instance will publish: bare where that is unique.
    const bare = uses.get(name) === 1 && !taken.has(name);
    await turn();
    records.push(declaredRecord(owner, entry, skill, bare ? name : `${skill.name}__${name}`));
  }
  if (budget.tools < 0) problems.push(`has more than ${readLimits.tools} tools: the rest is left out`);
  if (budget.bytes < 0)
    problems.push(`describes its tools with more than ${readLimits.bytes} bytes: the rest is left out`);
  return {
    records: unique(records),
    ours: listed.ours,
    problem: problems.length > 0 ? problems.slice(0, 5).join('; ') : undefined,
  };
}

async function listTools(
  backend: Asked,
  signal: AbortSignal,
  affordable: (entry: Fields) => boolean,
  problems: string[],
): Promise<{ entries: Fields[]; hasSkills: boolean; ours: boolean }> {
  const entries: Fields[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let hasSkills = false;
  let ours = false;
  const turn = createSlices();
  for (let pages = 0; ; pages += 1) {
    if (pages === readLimits.pages) {
      problems.push(`tools/list goes on after ${pages} pages: the rest is left out`);
      break;
    }
    const params = { ...(cursor !== undefined && { cursor }), _meta: { dcc: { capabilities: true } } };
    const answer = objectOf(await backend.request('tools/list', params, { signal, idempotent: true }));
    // An instance of ours leaves its built-ins out of this list; it has them all the same.
    if (objectOf(objectOf(answer._meta).dcc).capabilities === true) hasSkills = ours = true;
    for (const given of Array.isArray(answer.tools) ? answer.tools : []) {
      const entry = objectOf(given);
      const name = textOf(entry.name);
      if (name === 'get_skill_info') hasSkills = true;
      if (isOwn(name) || name.length > 256) continue;
      if (isUnnamable(name, problems)) continue;
      if (!affordable(entry)) return { entries, hasSkills, ours };
      entries.push(entry);
      await turn();
    }
    const next = textOf(answer.nextCursor);
    if (next === '') break;
    if (cursors.has(next)) {
      problems.push('tools/list gives the same cursor again: the rest is left out');
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  return { entries, hasSkills, ours };
}

/** Two names that look alike would be two tools. */
function isUnnamable(name: string, problems: string[]): boolean {
  if (!holdsHidden(name)) return false;
  problems.push(
    `the name of its tool "${revealed(name).slice(0, 80)}" has characters that nobody sees: it is left out`,
  );
  return true;
}

/** The groups with how they stand now: as the listed tools of each say. */
function withActive(skill: SkillFacts, entries: readonly Fields[]): SkillFacts {
  const states = new Map<string, boolean>();
  for (const entry of skill.groups.length > 0 ? entries : []) {
    const dcc = objectOf(objectOf(entry._meta).dcc);
    if (dcc.skill_name === skill.name && textOf(dcc.group) !== '')
      states.set(textOf(dcc.group), dcc.group_active !== false);
  }
  const groups = skill.groups.map(each => ({ ...each, active: states.get(each.name) ?? each.default_active }));
  return { ...skill, groups };
}

/** A backend may list a name twice: the first counts. */
function unique(records: readonly CapabilityRecord[]): CapabilityRecord[] {
  return [...new Map([...records].reverse().map(each => [each.tool_slug, each])).values()].reverse();
}
