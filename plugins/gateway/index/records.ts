/** Capability records from what an instance says of its tools and skills. Pure; trusts no shape. */
import type { JsonSchema } from '../../../kernel/index.ts';
import { revealedDeep } from '../../../schemas/hidden-text.ts';
import { objectOf } from '../../../schemas/loose.ts';
import { slugOf } from '../../../schemas/slug.ts';
import { suspectFlags, textsIn } from '../../../schemas/suspect-text.ts';
import { toolFingerprint } from '../../../schemas/tool-fingerprint.ts';
import type { AvailableGroup, CapabilityAnnotations, CapabilityMetadata, CapabilityRecord } from './api.ts';

/** The instance that records belong to. */
export interface RecordOwner {
  readonly dcc_type: string;
  readonly instance_id: string;
  /** What stands for the instance in slugs. */
  readonly segment: string;
}

/** What is known of the skill that a tool belongs to. */
export interface SkillFacts {
  readonly name: string;
  readonly tags: readonly string[];
  readonly search_hint: string;
  readonly search_aliases: readonly string[];
  readonly groups: readonly AvailableGroup[];
}

export type Fields = Readonly<Record<string, unknown>>;

export const recordLimits = { description: 16_384, schema: 65_536, summary: 160, words: 64, word: 200 };

/** The record of a tool that the instance lists. */
export function listedRecord(owner: RecordOwner, given: Fields, skill: SkillFacts | undefined): CapabilityRecord {
  const entry = revealedDeep(given);
  const name = textOf(entry.name);
  const dcc = objectOf(objectOf(entry._meta).dcc);
  const skill_name = skill?.name ?? (textOf(dcc.skill_name) || null);
  const action = textOf(dcc.action) || name;
  const group = textOf(dcc.group);
  return assemble(owner, entry, {
    backend_tool: name,
    callable_id: skill_name === null || action.includes('__') ? action : `${skill_name}__${action}`,
    skill_name,
    tags: [...wordsIn(dcc.tags), ...(skill?.tags ?? [])],
    aliases: wordsIn(dcc.aliases),
    loaded: true,
    group_active: dcc.group_active !== false,
    group,
    metadata: dcc,
    skill,
    discovery_only: dcc.executable === false,
    action,
    // As it was declared, where another is listed.
    output: dcc.outputSchema ?? entry.outputSchema,
    flags: [...wordsIn(dcc.flags), ...hiddenFlag(given, entry)],
  });
}

/** The record of a tool of a skill that is not loaded; `backend_tool` is the name that it will have. */
export function declaredRecord(
  owner: RecordOwner,
  given: Fields,
  skill: SkillFacts,
  backend_tool: string,
): CapabilityRecord {
  const entry = revealedDeep(given);
  const group = textOf(entry.group);
  const { affinity, execution, timeout_hint_secs } = entry;
  const active = group === '' || skill.groups.find(each => each.name === group)?.default_active === true;
  return assemble(owner, entry, {
    backend_tool,
    callable_id: `${skill.name}__${textOf(entry.name)}`,
    skill_name: skill.name,
    tags: [...wordsIn(entry.tags), ...skill.tags],
    aliases: wordsIn(entry.search_aliases ?? entry.aliases),
    loaded: false,
    group_active: active,
    group,
    metadata: { affinity, execution, timeoutHintSecs: timeout_hint_secs, ...objectOf(objectOf(entry.metadata).dcc) },
    skill,
    discovery_only: false,
    action: textOf(entry.name),
    output: entry.outputSchema ?? entry.output_schema,
    flags: [...wordsIn(entry.flags), ...hiddenFlag(given, entry)],
  });
}

/** What the two kinds of tool say in different ways. */
type Own = Pick<
  CapabilityRecord,
  'backend_tool' | 'callable_id' | 'skill_name' | 'tags' | 'aliases' | 'loaded' | 'group_active'
> & {
  group: string;
  metadata: Fields;
  skill: SkillFacts | undefined;
  discovery_only: boolean;
  /** Its name as declared, and the output schema that goes with it. */
  action: string;
  output: unknown;
  /** Remarks that are known already. */
  flags: readonly string[];
};

/** The same object means that nothing was hidden. */
const hiddenFlag = (given: Fields, shown: Fields): string[] => (given === shown ? [] : ['hidden_characters']);

function assemble({ dcc_type, instance_id, segment }: RecordOwner, entry: Fields, own: Own): CapabilityRecord {
  const { skill, group, metadata: given, discovery_only, action, output: declared, flags: known, ...record } = own;
  const description = textOf(entry.description).slice(0, recordLimits.description);
  const annotations = annotationsOf(entry);
  const metadata = metadataOf(given);
  const schema = schemaOf(entry.inputSchema ?? entry.input_schema);
  const output = schemaOf(entry.outputSchema ?? entry.output_schema);
  const said = {
    name: action,
    description: textOf(entry.description),
    input_schema: entry.inputSchema ?? entry.input_schema,
  };
  const texts = textsIn([
    said,
    entry.title,
    annotations.title,
    own.tags,
    own.aliases,
    entry.outputSchema ?? entry.output_schema,
  ]);
  const flags = [...new Set([...known, ...suspectFlags(texts)])];
  return {
    ...record,
    ...{ dcc_type, instance_id, description },
    tool_slug: slugOf(dcc_type, segment, own.backend_tool),
    summary: summaryOf(description || (annotations.title ?? '')),
    tags: [...new Set(own.tags)],
    aliases: [...new Set(own.aliases)],
    has_schema: schema.properties,
    fingerprint: toolFingerprint({ ...said, output_schema: declared }),
    ...(flags.length > 0 && { flags }),
    ...(skill && skillWords(skill) !== '' && { search_hint: skillWords(skill) }),
    ...(group !== '' && { tool_group: group }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(group !== '' && skill && skill.groups.length > 0 && { available_groups: skill.groups }),
    ...(discovery_only && { discovery_only }),
    ...(schema.schema && { input_schema: schema.schema }),
    ...(output.schema && { output_schema: output.schema }),
  };
}

const skillWords = ({ search_hint, search_aliases }: SkillFacts): string =>
  [search_hint, ...search_aliases].filter(Boolean).join(', ').slice(0, 1000);

/** The first sentence on one line. */
export function summaryOf(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim();
  const sentence = /^.{8,}?[.!?。！？](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length <= recordLimits.summary
    ? sentence
    : `${sentence.slice(0, recordLimits.summary - 1).trimEnd()}…`;
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function annotationsOf(entry: Fields): CapabilityAnnotations {
  const given = objectOf(entry.annotations);
  const title = textOf(given.title) || textOf(entry.title);
  const found: CapabilityAnnotations = title === '' ? {} : { title: title.slice(0, recordLimits.word) };
  for (const hint of hints) if (typeof given[hint] === 'boolean') found[hint] = given[hint];
  return found;
}

function metadataOf(given: Fields): CapabilityMetadata {
  const found: CapabilityMetadata = {};
  for (const key of ['affinity', 'execution', 'jobStrategy', 'risk', 'toolRole'] as const) {
    const text = textOf(given[key]).slice(0, recordLimits.word);
    if (text !== '') found[key] = text;
  }
  if (typeof given.timeoutHintSecs === 'number') found.timeoutHintSecs = given.timeoutHintSecs;
  if (given.enforceThreadAffinity === true) found.enforceThreadAffinity = true;
  return found;
}

/** A schema that is too large to keep is told to exist; describe asks the instance for it. */
function schemaOf(given: unknown): { schema?: JsonSchema; properties: boolean } {
  const schema = objectOf(given);
  const properties = Object.keys(objectOf(schema.properties)).length > 0;
  if (Object.keys(schema).length === 0 || JSON.stringify(schema).length > recordLimits.schema) return { properties };
  return { schema, properties };
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Short texts of a list, or of a text with commas. */
export function wordsIn(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list
    .slice(0, recordLimits.words)
    .filter(each => typeof each === 'string')
    .map(each => each.trim().slice(0, recordLimits.word))
    .filter(Boolean);
}
