/** Requests of the gateway's search, describe, load_skill and call family: one schema for the MCP tools and the REST bodies. */
import { Type } from 'typebox';

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const flag = (defaultValue: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: defaultValue, description }));
const meta = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'Metadata of the call: progressToken, dcc.async, lease_owner.' },
  ),
);
const args = Type.Optional(
  Type.Object({}, { additionalProperties: true, default: {}, description: 'Arguments as its input schema asks.' }),
);
const slug = 'The tool_slug of a search hit, never built by hand.';

const encoding = {
  response_format: Type.Optional(Type.Enum(['json', 'toon'], { description: 'Encoding of the answer.' })),
  compact: flag(false, 'Answer in the compact encoding.'),
};

const filters = {
  query: text('Two to five English words of the trade, such as "bevel edges", no sentence; empty browses.'),
  or_queries: texts(
    'Other wordings, at most eight, each a query of its own: a hit counts by the one that fits it best.',
  ),
  dcc_type: text('Only this host type, for example "maya".'),
  dcc_types: texts('Any of these host types.'),
  instance_id: text('Only this instance: id or unique prefix of it.'),
  tags: texts('Every tag must be there.'),
  tags_any: texts('One of the tags must be there.'),
  mode: Type.Optional(
    Type.Enum(['fuzzy', 'exact', 'hybrid'], { default: 'fuzzy', description: 'How words are compared.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 0, default: 25, description: 'Most hits, at most 100.' })),
};

export const SearchRequestSchema = Type.Object(
  {
    kind: Type.Optional(Type.Enum(['tool', 'skill', 'all'], { default: 'tool', description: 'What to search.' })),
    ...filters,
    dcc: text('Another name of dcc_type.'),
    ...encoding,
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
  },
  { description: 'What to search for' },
);

export const DescribeRequestSchema = Type.Object(
  {
    tool_slug: text(slug),
    skill_name: text('A skill, in place of a tool.'),
    dcc: text('Host type of the skill, where several have it.'),
    meta,
    ...encoding,
  },
  { description: 'What to describe: tool_slug or skill_name' },
);

export const RestDescribeRequestSchema = Type.Object(
  {
    tool_slug: Type.String({ description: slug }),
    include_schema: flag(true, 'With input and output schema.'),
    meta,
    ...encoding,
  },
  { description: 'Which tool to describe' },
);

export const LoadSkillRequestSchema = Type.Object(
  {
    skill_name: text('Name of the skill.'),
    skill_names: texts('Several skills at once.'),
    activate_groups: flag(true, 'Activate every tool group of the skill.'),
    tool_group: text('Only this tool group.'),
    group_name: text('Another name of tool_group.'),
    group_action: Type.Optional(
      Type.Enum(['activate', 'deactivate'], { default: 'activate', description: 'What to do with tool_group.' }),
    ),
    instance_id: text('The instance, where several have the skill.'),
    dcc: text('The host type, where several have the skill.'),
    dcc_type: text('Another name of dcc.'),
    target_tool_slug: text('The tool that the skill is loaded for.'),
    meta,
    ...encoding,
  },
  {
    description: 'What to load: skill_name, skill_names or tool_group',
    anyOf: ['skill_name', 'skill_names', 'tool_group', 'group_name'].map(name => ({ required: [name] })),
  },
);

export const UnloadSkillRequestSchema = Type.Object(
  {
    skill_name: Type.String({ description: 'Name of the skill.' }),
    instance_id: text('The instance, where several have the skill.'),
    dcc: text('The host type, where several have the skill.'),
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
const calls = Type.Array(call, { maxItems: 25, description: 'Calls to make in this order, in place of tool_slug.' });
const stop = flag(false, 'End the batch at its first failure.');

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
