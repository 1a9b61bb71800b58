/** A description as a caller needs it: what the tool does, what it takes, what comes next; or what a skill is. Pure. */
import { isObject, type Json, objectOf, objects } from '../../schemas/loose.ts';
import { type Look, sendable, withoutEmpty } from './compact-step.ts';

export function compactDescription(answer: Json, look: Look): Json {
  // The gateway says `record` and `tool`, an instance `entry` and the rest beside it.
  const record = answer.record ?? answer.entry;
  return isObject(record) ? tool(answer, record, objectOf(answer.tool ?? answer), look) : skill(answer, look);
}

function tool(answer: Json, record: Json, told: Json, { fields }: Look): Json {
  const all: Json = { ...answer, ...record, ...told };
  const { execution } = objectOf(objectOf(told._meta).dcc ?? told.metadata);
  return withoutEmpty({
    tool_slug: record.tool_slug ?? record.slug,
    description: told.description,
    traits: [...traits(objectOf(told.annotations)), ...(execution === 'async' ? ['async'] : [])],
    input_schema: told.inputSchema ?? told.input_schema,
    next_step: nextOf(record),
    ...Object.fromEntries(fields.map(name => [name, all[name]])),
  });
}

/** `readOnlyHint: true` is `read-only`. */
function traits(annotations: Json): string[] {
  return Object.entries(annotations)
    .filter(([, value]) => value === true)
    .map(([name]) => name.replace(/Hint$/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`));
}

function nextOf({ loaded, callable, disabled_by_group }: Json): string | undefined {
  if (loaded === false || disabled_by_group !== undefined) return 'load_skill';
  return callable === false ? undefined : 'call';
}

const keptOfSkill = 'description loaded status groups example_prompts guidance missing_tools warnings error'.split(' ');

function skill(answer: Json, { door, fields }: Look): Json {
  const { name, tools, dcc_type, instance_short } = answer;
  if (typeof name !== 'string') return answer;
  const load = { action: 'load_skill', arguments: { skill_name: name, instance_id: instance_short } };
  return withoutEmpty({
    skill_name: name,
    tools: objects(tools).map(each => ({
      tool_slug: `${String(dcc_type)}.${String(instance_short)}.${String(each.name)}`,
      summary: each.description,
    })),
    ...Object.fromEntries([...keptOfSkill, ...fields].map(each => [each, answer[each]])),
    ...(answer.loaded !== true && { next_step: sendable(load, door) }),
  });
}
