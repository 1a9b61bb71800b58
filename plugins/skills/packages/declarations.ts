/**
 * Tool and group declarations: `tools.yaml`, `groups.yaml` (shape:declarations). What is wrong with one entry leaves
 * out that entry, what is wrong with one key of it only the key.
 */
import {
  type SkillGroupDeclaration,
  SkillGroupSchema,
  type SkillToolDeclaration,
  SkillToolSchema,
} from '../../../schemas/skill-manifest.ts';
import {
  asFlag,
  asList,
  asNumber,
  asText,
  asWord,
  convert,
  type Fields,
  isFields,
  snakeKey,
  snakeKeys,
} from './manifest-keys.ts';
import { toolName } from './names.ts';
import { type MissingTool, type ReasonCode, Rejection, type Warn } from './rejection.ts';
import { check } from './shape.ts';
import type { Step } from './source-lines.ts';

const maxTools = 1000;
export const hintNames = ['read_only', 'destructive', 'idempotent', 'open_world', 'deferred'];
const toolFlags = ['enforce_thread_affinity', 'defer_loading', 'requires_in_process'];
const toolTexts = ['name', 'title', 'description', 'category', 'source_file', 'group'];

export interface DeclaredTools {
  tools: SkillToolDeclaration[];
  /** Entries that are none: they are told, not published. */
  missing: MissingTool[];
}

/** The tools of a parsed `tools.yaml` (or of an inline list); throws when it holds no list. */
export function toolDeclarations(data: unknown, warn: Warn): DeclaredTools {
  const list = listOf(data, 'tools', 'invalid_tools_yaml');
  const tools = new Map<string, SkillToolDeclaration>();
  const missing: MissingTool[] = [];
  const refuse = (name: string, { reason, message, place }: Rejection, index: number): void => {
    missing.push({ name, reason_code: reason, message });
    warn(reason, message, { steps: ['tools', index], ...place });
  };
  if (list.length > maxTools)
    warn('invalid_tools_yaml', `tools.yaml: only the first ${maxTools} of ${list.length} tools count`);
  for (const [index, each] of list.slice(0, maxTools).entries()) {
    try {
      const tool = toolDeclaration(each, index, warn);
      if (tools.has(tool.name)) {
        throw new Rejection('duplicate_tool_name', `tool "${tool.name}" is declared twice: the first one counts`);
      }
      tools.set(tool.name, tool);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      refuse(nameOf(each, index), error, index);
    }
  }
  return { tools: [...tools.values()], missing };
}

/** The groups of a parsed `groups.yaml`, or of a `groups:` list inside tools.yaml; throws when it holds no list. */
export function groupDeclarations(data: unknown, warn: Warn): SkillGroupDeclaration[] {
  if (data === undefined || (isFields(data) && data.groups === undefined)) return [];
  const groups = new Map<string, SkillGroupDeclaration>();
  for (const [index, each] of listOf(data, 'groups', 'invalid_groups_yaml').entries()) {
    try {
      const group = groupDeclaration(each, index, warn);
      if (groups.has(group.name)) {
        throw new Rejection('invalid_groups_yaml', `group "${group.name}" is declared twice: the first one counts`);
      }
      groups.set(group.name, group);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      warn(error.reason, error.message, { steps: ['groups', index], ...error.place });
    }
  }
  return [...groups.values()];
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

function groupDeclaration(each: unknown, index: number, warn: Warn): SkillGroupDeclaration {
  const given = typeof each === 'string' ? { name: each } : each;
  const reason = 'invalid_groups_yaml';
  if (!isFields(given)) throw new Rejection(reason, `entry ${index + 1} of "groups" is not a mapping`);
  const texts = convert(snakeKeys(given), ['name', 'description'], asText);
  const fields = convert(convert(texts, ['tools'], asList), ['default_active'], asFlag);
  const label = `group ${nameOf(fields, index)}`;
  return check(fields, { schema: SkillGroupSchema, reason, label, needed: ['name'], warn, steps: ['groups', index] });
}

function toolDeclaration(each: unknown, index: number, warn: Warn): SkillToolDeclaration {
  const given = typeof each === 'string' ? { name: each } : each;
  const reason = 'invalid_tools_yaml';
  if (!isFields(given)) throw new Rejection(reason, `entry ${index + 1} of "tools" is not a mapping`);
  const fields = convert(snakeKeys(given), toolTexts, asText);
  const label = `tool "${nameOf(fields, index)}"`;
  const steps = ['tools', index];
  if ('deferred' in fields) {
    throw new Rejection(reason, `${label}: "deferred" is not a key; write "execution: async"`, {
      steps: [...steps, 'deferred'],
    });
  }
  const known: Fields = {
    ...fields,
    affinity: asWord(fields.affinity ?? fields.thread_affinity ?? 'any'),
    annotations: annotationsOf(fields, label, steps, warn),
    next_tools: isFields(fields.next_tools) ? nextTools(fields.next_tools) : (fields.next_tools ?? {}),
  };
  const flagged = convert(convert(known, toolFlags, asFlag), ['execution', 'job_strategy'], asWord);
  const whole = convert(convert(flagged, ['timeout_hint_secs'], asNumber), ['tags'], asList);
  const schemas = convert(whole, ['input_schema', 'output_schema'], fromJson);
  const part = { schema: SkillToolSchema, reason, label, needed: ['name'], warn, steps } as const;
  const tool = check<SkillToolDeclaration>(schemas, part);
  return { ...tool, name: toolName(tool.name, (code, message) => warn(code, message, { steps })) };
}

/** Hints may stand in `annotations` or at the tool's top level, with or without `_hint`; annotations win. */
function annotationsOf(fields: Fields, label: string, steps: readonly Step[], warn: Warn): Fields {
  const ignore = (what: string, key = 'annotations'): void =>
    warn('invalid_tools_yaml', `${label}: ${what}; the key is ignored`, { steps: [...steps, key] });
  const given = fields.annotations ?? {};
  if (!isFields(given)) ignore('"annotations" is not a mapping');
  const inner = isFields(given) ? snakeKeys(given) : {};
  const found: Fields = {};
  if (inner.title !== undefined) found.title = asText(inner.title);
  for (const name of hintNames) {
    const value = asFlag(inner[`${name}_hint`] ?? inner[name] ?? fields[`${name}_hint`] ?? fields[name]);
    if (typeof value === 'boolean') found[`${name}_hint`] = value;
    else if (value !== undefined) ignore(`"${name}" is neither true nor false`, name in fields ? name : undefined);
  }
  return found;
}

function nextTools(given: Fields): Fields {
  const known = Object.fromEntries(Object.entries(given).map(([key, value]) => [snakeKey(key), value ?? []]));
  return convert(known, ['on_success', 'on_failure'], asList);
}

/** A schema may be given as its JSON text. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function listOf(data: unknown, key: string, reason: ReasonCode): unknown[] {
  const list = isFields(data) ? (data[key] ?? []) : (data ?? []);
  if (!Array.isArray(list)) throw new Rejection(reason, `"${key}" is not a list`);
  return list;
}

function nameOf(entry: unknown, index: number): string {
  const name = isFields(entry) ? asText(entry.name) : entry;
  return typeof name === 'string' && name !== '' ? name.slice(0, 80) : `entry ${index + 1}`;
}
