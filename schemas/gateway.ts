/** Requests of the gateway's search, describe, load_skill and call family: one schema for the MCP tools and the REST bodies. */
import { Type } from 'typebox';

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const flag = (defaultValue: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: defaultValue, description }));
/** Open, and so short: agents read these schemas. */
const object = (description: string, more: object = {}) =>
  Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', ...more, description }));
const meta = object('progressToken, dcc.async, lease_owner.');
const args = object('As its input_schema asks.', { default: {} });
const slug = 'From a search, never built by hand.';

const encoding = {
  response_format: Type.Optional(Type.Enum(['json', 'toon'], { description: 'json has every member.' })),
  compact: flag(false, 'The same as toon.'),
};

/** What the compact form has besides; every operation takes them, those list them whose form leaves most out. */
const members = {
  fields: texts('More members, such as tags, score, annotations.'),
  verbose: flag(false, 'All members.'),
};

const filters = {
  query: text('Two to five English words of the trade, no sentence; empty browses.'),
  or_queries: texts('Other wordings, at most eight; the one that fits best counts.'),
  dcc_type: text('Only this host type, such as "maya".'),
  dcc_types: texts('Any of these.'),
  instance_id: text('Only this instance; a prefix will do.'),
  tags: texts('All of these.'),
  tags_any: texts('One of these.'),
  mode: Type.Optional(Type.Enum(['fuzzy', 'exact', 'hybrid'], { default: 'fuzzy', description: 'How words match.' })),
  limit: Type.Optional(Type.Integer({ minimum: 0, default: 25, description: 'At most 100.' })),
};

export const SearchRequestSchema = Type.Object(
  {
    kind: Type.Optional(Type.Enum(['tool', 'skill', 'all'], { default: 'tool', description: 'What to search.' })),
    ...filters,
    dcc: text('The same as dcc_type.'),
    ...encoding,
    ...members,
  },
  { description: 'What to search for' },
);

/** POST /v1/search takes more than the tool. */
export const RestSearchRequestSchema = Type.Object(
  {
    ...filters,
    exclude_tags: texts('None of these tags may be there.'),
    loaded_only: flag(false, 'Leave out tools of skills that are not loaded.'),
    scene_hint: text('The open scene, for ranking.'),
    skill_hint: text('A skill to prefer, for ranking.'),
    min_score: Type.Optional(Type.Integer({ description: 'Leave out hits below this score.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Hits to skip.' })),
    meta,
    ...encoding,
    ...members,
  },
  { description: 'What to search for' },
);

export const DescribeRequestSchema = Type.Object(
  {
    tool_slug: text(slug),
    skill_name: text('A skill, in place of a tool.'),
    dcc: text('Its host type, where several have it.'),
    meta,
    ...encoding,
    ...members,
  },
  { description: 'What to describe: tool_slug or skill_name' },
);

export const RestDescribeRequestSchema = Type.Object(
  {
    tool_slug: Type.String({ description: slug }),
    include_schema: flag(true, 'With input and output schema.'),
    meta,
    ...encoding,
    ...members,
  },
  { description: 'Which tool to describe' },
);

export const LoadSkillRequestSchema = Type.Object(
  {
    tool_slug: text('The tool to call: what it needs is loaded.'),
    skill_name: text('A skill.'),
    skill_names: texts('Several skills.'),
    activate_groups: flag(true, 'All its tool groups too.'),
    tool_group: text('Only this tool group.'),
    group_name: text('The same as tool_group.'),
    group_action: Type.Optional(
      Type.Enum(['activate', 'deactivate'], { default: 'activate', description: 'For tool_group.' }),
    ),
    instance_id: text('Where several have the skill.'),
    dcc: text('Where several have the skill.'),
    dcc_type: text('The same as dcc.'),
    target_tool_slug: text('The tool that skill_name is loaded for.'),
    meta,
    ...encoding,
  },
  {
    description: 'What to load: tool_slug, skill_name, skill_names or tool_group',
    anyOf: ['tool_slug', 'skill_name', 'skill_names', 'tool_group', 'group_name'].map(name => ({ required: [name] })),
  },
);

export const LeaseRequestSchema = Type.Object(
  {
    action: Type.Optional(
      Type.Enum(['acquire', 'renew', 'release'], { default: 'acquire', description: 'What to do.' }),
    ),
    dcc_type: text('Host type to take an idle instance of.'),
    instance_id: text('This instance; a prefix will do.'),
    lease_owner: Type.String({
      description: 'Name of the holder, as meta.lease_owner of each call says it; no secret.',
    }),
    ttl_secs: Type.Optional(
      Type.Number({ default: 3600, description: 'Seconds until the lease ends by itself, at most 86400.' }),
    ),
    current_job_id: text('The job that it is for.'),
    meta,
    ...encoding,
  },
  { description: 'Which instance to lease, or to give back' },
);

export const UnloadSkillRequestSchema = Type.Object(
  {
    skill_name: Type.String({ description: 'Name of the skill.' }),
    instance_id: text('The instance, where several have the skill.'),
    dcc: text('The host type, where several have the skill.'),
    meta,
    ...encoding,
  },
  { description: 'What to unload' },
);

const call = Type.Object(
  {
    id: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description: 'Comes back with the result.' }),
    ),
    tool_slug: Type.String({ description: slug }),
    arguments: args,
    meta,
  },
  { description: 'One call of a batch' },
);
const calls = Type.Array(call, { maxItems: 25, description: 'Several calls, in order.' });
const stop = flag(false, 'At the first failure.');

export const CallRequestSchema = Type.Object(
  { tool_slug: text(slug), arguments: args, meta, calls: Type.Optional(calls), stop_on_error: stop, ...encoding },
  { description: 'What to call: tool_slug, or calls' },
);

export const CallBatchRequestSchema = Type.Object(
  {
    calls: Type.Array(call, { minItems: 1, maxItems: 25, description: 'Calls in order.' }),
    stop_on_error: stop,
    meta,
    ...encoding,
  },
  { description: 'An ordered batch of calls' },
);
