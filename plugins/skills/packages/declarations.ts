/** Tool and group declarations: `tools.yaml`, `groups.yaml` (shape:declarations). */
import {
  type SkillGroupDeclaration,
  SkillGroupSchema,
  type SkillToolDeclaration,
  SkillToolSchema,
} from '../../../schemas/skill-manifest.ts';
import { asFlag, asList, asText, convert, type Fields, isFields, snakeKey, snakeKeys } from './manifest-keys.ts';
import { type ReasonCode, Rejection } from './rejection.ts';
import { check } from './shape.ts';

const maxTools = 1000;
const toolNamePattern = /^[A-Za-z0-9_-]+$/;
const hintNames = ['read_only', 'destructive', 'idempotent', 'open_world', 'deferred'];
const toolFlags = ['enforce_thread_affinity', 'defer_loading', 'requires_in_process'];

/** The tools of a parsed `tools.yaml` (or of an inline list). */
export function toolDeclarations(data: unknown): SkillToolDeclaration[] {
  const list = listOf(data, 'tools', 'invalid_tools_yaml');
  if (list.length > maxTools) throw new Rejection('invalid_tools_yaml', `declares more than ${maxTools} tools`);
  const tools = list.map((each, index) => toolDeclaration(each, index));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw new Rejection('duplicate_tool_name', `tool "${name}" is declared twice`);
    names.add(name);
  }
  return tools;
}

/** The groups of a parsed `groups.yaml`, of a `groups:` list inside tools.yaml, or of both. */
export function groupDeclarations(data: unknown): SkillGroupDeclaration[] {
  if (data === undefined || (isFields(data) && data.groups === undefined)) return [];
  const groups = listOf(data, 'groups', 'invalid_groups_yaml').map((each, index) => {
    const fields = typeof each === 'string' ? { name: each } : each;
    if (!isFields(fields))
      throw new Rejection('invalid_groups_yaml', `entry ${index + 1} of "groups" is not a mapping`);
    const known = convert(convert(snakeKeys(fields), ['tools'], asList), ['default_active'], asFlag);
    return check(
      SkillGroupSchema,
      known,
      'invalid_groups_yaml',
      `group ${nameOr(known, index)}`,
    ) as SkillGroupDeclaration;
  });
  for (const { name } of groups) {
    if (groups.filter(each => each.name === name).length > 1) {
      throw new Rejection('invalid_groups_yaml', `group "${name}" is declared twice`);
    }
  }
  return groups;
}

/** Puts tools that only the group's own list names into it, and adds groups that only tools name. */
export function joinGroups(
  tools: readonly SkillToolDeclaration[],
  groups: readonly SkillGroupDeclaration[],
): { tools: SkillToolDeclaration[]; groups: SkillGroupDeclaration[] } {
  const owner = new Map(groups.flatMap(group => group.tools.map(tool => [tool, group.name] as const)));
  const joined = tools.map(tool => (tool.group === '' ? { ...tool, group: owner.get(tool.name) ?? '' } : tool));
  const named = new Set(groups.map(each => each.name));
  const implied = [...new Set(joined.map(each => each.group))].filter(name => name !== '' && !named.has(name));
  const all = [...groups, ...implied.map(name => ({ name, description: '', tools: [], default_active: false }))];
  const members = (group: string): string[] => joined.filter(each => each.group === group).map(each => each.name);
  return { tools: joined, groups: all.map(group => ({ ...group, tools: members(group.name) })) };
}

function toolDeclaration(each: unknown, index: number): SkillToolDeclaration {
  if (typeof each === 'string') return toolDeclaration({ name: each }, index);
  if (!isFields(each)) throw new Rejection('invalid_tools_yaml', `entry ${index + 1} of "tools" is not a mapping`);
  const fields = snakeKeys(each);
  const label = `tool ${nameOr(fields, index)}`;
  if ('deferred' in fields) {
    throw new Rejection('invalid_tools_yaml', `${label}: "deferred" is not a key; write "execution: async"`);
  }
  const known = convert(
    {
      ...fields,
      affinity: fields.affinity ?? fields.thread_affinity ?? 'any',
      annotations: annotationsOf(fields, label),
      next_tools: isFields(fields.next_tools) ? nextTools(fields.next_tools) : (fields.next_tools ?? {}),
    },
    toolFlags,
    asFlag,
  );
  const tool = check(SkillToolSchema, convert(known, ['tags'], asList), 'invalid_tools_yaml', label);
  return checkedName(tool as SkillToolDeclaration);
}

function checkedName(tool: SkillToolDeclaration): SkillToolDeclaration {
  if (tool.name.length > 64) {
    throw new Rejection('name_too_long', `tool "${tool.name.slice(0, 80)}" is longer than 64 characters`);
  }
  if (!toolNamePattern.test(tool.name) || /^__(skill|group)__/.test(tool.name)) {
    throw new Rejection('invalid_name', `tool name "${tool.name}" has characters that clients refuse`);
  }
  return tool;
}

/** Hints may stand in `annotations` or at the tool's top level, with or without `_hint`; annotations win. */
function annotationsOf(fields: Fields, label: string): Fields {
  const given = fields.annotations ?? {};
  if (!isFields(given)) throw new Rejection('invalid_tools_yaml', `${label}: "annotations" is not a mapping`);
  const inner = snakeKeys(given);
  const found: Fields = {};
  if (inner.title !== undefined) found.title = asText(inner.title);
  for (const name of hintNames) {
    const value = inner[`${name}_hint`] ?? inner[name] ?? fields[`${name}_hint`] ?? fields[name];
    if (value !== undefined) found[`${name}_hint`] = asFlag(value);
  }
  return found;
}

function nextTools(given: Fields): Fields {
  const known = Object.fromEntries(Object.entries(given).map(([key, value]) => [snakeKey(key), value ?? []]));
  return convert(known, ['on_success', 'on_failure'], asList);
}

function listOf(data: unknown, key: string, reason: ReasonCode): unknown[] {
  const list = isFields(data) ? (data[key] ?? []) : (data ?? []);
  if (!Array.isArray(list)) throw new Rejection(reason, `"${key}" is not a list`);
  return list;
}

const nameOr = (fields: Fields, index: number): string =>
  typeof fields.name === 'string' ? `"${fields.name.slice(0, 80)}"` : String(index + 1);
