/** A search as tables: a row for each tool or skill, with what to do next (shape:encoding). Pure. */
import { type Json, objectOf, objects, texts } from '../../schemas/loose.ts';
import { type Look, verbOf, withoutEmpty } from './compact-step.ts';

/** Members that stand in the rows, and those that travel in headers or `_meta`. */
const dropped = new Set(
  'hits skills tools instances semantic request_id trace_id index_generation search_id ranker_version search_cache'.split(
    ' ',
  ),
);

/** Instances that a row names. */
const namedInstances = 5;
const longestSummary = 160;

export function compactSearch(answer: Json, look: Look): Json {
  const tools = listIn(answer.hits) ?? listIn(objectOf(answer.tools).hits);
  const skills = listIn(answer.skills) ?? listIn(objectOf(answer.skills).skills);
  if (!tools && !skills) return answer;
  const capped = ['tools', 'skills'].filter(side => objectOf(answer[side]).capped === true);
  return {
    ...Object.fromEntries(Object.entries(answer).filter(([name]) => !dropped.has(name))),
    ...(tools && { hits: toolTable(tools, columns(tools, look)) }),
    ...(skills && { skills: skillTable(skills, columns(skills, look)) }),
    ...((tools?.length || skills?.length) && { how: howTo(look.door, tools, skills) }),
    ...withoutEmpty({ capped, instances: instancesTold(answer.instances) }),
    ...Object.fromEntries(look.fields.flatMap(name => (name in answer ? [[name, answer[name]]] : []))),
  };
}

const listIn = (value: unknown): Json[] | undefined => (Array.isArray(value) ? objects(value) : undefined);

function toolTable(hits: readonly Json[], fields: readonly string[]): Json[] {
  const shared = hits.some(each => texts(each.instances).length > 1);
  const flagged = hits.some(each => texts(each.flags).length > 0);
  return hits.map(hit => ({
    tool_slug: hit.tool_slug ?? hit.slug,
    summary: hit.summary,
    next_step: verbOf(hit.next_step),
    ...(shared && { instances: named(texts(hit.instances)) }),
    ...(flagged && { flags: texts(hit.flags).join(' ') }),
    ...picked(hit, fields),
  }));
}

/** The same skill of several instances is one row, as the same tool is. */
function skillTable(skills: readonly Json[], fields: readonly string[]): Json[] {
  const rows = new Map<string, { skill: Json; ids: string[] }>();
  for (const skill of skills) {
    const key = JSON.stringify([skill._dcc_type ?? skill.dcc, skill.name, skill.loaded === true]);
    const row = rows.get(key) ?? { skill, ids: [] };
    rows.set(key, row);
    row.ids.push(String(skill._instance_short));
  }
  const shared = [...rows.values()].some(each => each.ids.length > 1);
  const flagged = skills.some(each => texts(each.flags).length > 0);
  return [...rows.values()].map(({ skill, ids }) => ({
    skill_name: skill.name,
    instance_id: skill._instance_short,
    dcc_type: skill._dcc_type,
    summary: brief(String(skill.summary ?? skill.description ?? '')),
    next_step: skill.loaded === true ? 'describe' : 'load_skill',
    ...(shared && { instances: named(ids) }),
    ...(flagged && { flags: texts(skill.flags).join(' ') }),
    ...picked(skill, fields),
  }));
}

const brief = (line: string): string => (line.length > longestSummary ? `${line.slice(0, longestSummary - 1)}…` : line);

/** The ids of all of them where there are several. */
function named(ids: readonly string[]): string {
  if (ids.length < 2) return '';
  const more = ids.length - namedInstances;
  return ids.slice(0, namedInstances).join(' ') + (more > 0 ? ` +${more}` : '');
}

/** The fields that rows have, those of the whole answer apart. */
const columns = (rows: readonly Json[], { fields }: Look): string[] =>
  fields.filter(name => rows.some(each => each[name] !== undefined));

/** Every row has the same columns. */
const picked = (value: Json, fields: readonly string[]): Json =>
  Object.fromEntries(fields.map(name => [name, value[name] ?? null]));

function howTo(door: Look['door'], tools: readonly Json[] = [], skills: readonly Json[] = []): string {
  const members = [tools.length > 0 && 'tool_slug', skills.length > 0 && 'skill_name and instance_id'];
  const send = `the ${members.filter(Boolean).join(' or ')} of the row`;
  const several = tools.some(each => texts(each.instances).length > 1);
  return [
    door === 'mcp' ? `send ${send} to the tool that next_step names` : `POST ${send} to /v1/<next_step>`,
    several && 'instances have the same tool: their ids stand for the one in its slug',
  ]
    .filter(Boolean)
    .join('; ');
}

/** Which scene is open where, and who could not be asked. */
function instancesTold(instances: unknown): Json[] {
  return objects(instances).flatMap(({ instance_short: id, scene, error }): Json[] => {
    if (typeof error === 'string') return [{ id, error }];
    return typeof scene === 'string' ? [{ id, scene }] : [];
  });
}
