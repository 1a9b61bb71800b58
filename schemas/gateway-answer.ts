/** Answers of the gateway's REST routes, as far as they are promised; for the description of the API. */
import { Type } from 'typebox';

const open = { additionalProperties: true };
const text = (description: string) => Type.String({ description });
const correlation = {
  request_id: text('The X-Request-ID of the request, or a new one.'),
  trace_id: text('Trace id, 32 hex digits.'),
  index_generation: text('State of the tool index; compare for equality only.'),
};

const Failure = Type.Object(
  {
    error: Type.Object(
      {
        kind: text('What kind of failure it is, in kebab-case.'),
        message: text('What is wrong and what to do.'),
        candidates: Type.Array(Type.Unknown(), { description: 'What may have been meant.' }),
        previous_status: Type.Union([Type.String(), Type.Null()], { description: 'What the instance was last.' }),
        previous_instance_id: Type.Union([Type.String(), Type.Null()], { description: 'The instance that is gone.' }),
        retryable: Type.Union([Type.Boolean(), Type.Null()], { description: 'Whether another try may do better.' }),
        recommended_next_action: Type.Union([Type.String(), Type.Null()], { description: 'What to do next.' }),
        backend: Type.Optional(Type.Unknown({ description: 'What the instance said.' })),
        policy: Type.Optional(Type.Object({}, { ...open, description: 'What the policy of the gateway forbids.' })),
      },
      { ...open, description: 'The failure' },
    ),
  },
  { description: 'A failure' },
);

const SearchAnswer = Type.Object(
  {
    total: Type.Integer({ description: 'Hits in this answer.' }),
    hits: Type.Array(Type.Object({}, open), { description: 'Records with rank, score and next_step.' }),
    search_id: text('Ties later requests to this search.'),
    ranker_version: text('Which ranking it was.'),
    ...correlation,
  },
  { ...open, description: 'Hits, best first' },
);

const DescribeAnswer = Type.Object(
  {
    record: Type.Object({}, { ...open, description: 'The capability record.' }),
    tool: Type.Object({}, { ...open, description: 'The tool with its schemas.' }),
    ...correlation,
  },
  { ...open, description: 'One tool in full' },
);

const LoadAnswer = Type.Object(
  {
    dcc_type: text('Host type of the instance.'),
    instance_id: text('The instance.'),
    new_tool_slugs: Type.Array(Type.String(), { description: 'Tools that can be called now and could not before.' }),
    ...correlation,
  },
  { ...open, description: 'What was loaded' },
);

const UnloadAnswer = Type.Object(
  { unloaded: Type.Boolean({ description: 'True.' }), skill_name: text('The skill.'), ...correlation },
  { ...open, description: 'What was unloaded' },
);

const CallAnswer = Type.Object(
  {
    content: Type.Array(Type.Object({}, open), { description: 'What the tool answered.' }),
    isError: Type.Optional(Type.Boolean({ description: 'Whether it failed.' })),
  },
  { ...open, description: "The instance's own CallToolResult, its origin in _meta.dcc" },
);

const BatchAnswer = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether every call succeeded.' }),
    stop_on_error: Type.Boolean({ description: 'As it was asked for.' }),
    results: Type.Array(Type.Object({}, open), { description: 'One for each call, in order.' }),
    ...correlation,
  },
  { ...open, description: 'What became of the calls' },
);

const SkillList = Type.Object(
  {
    total: Type.Integer({ description: 'How many.' }),
    skills: Type.Array(Type.Object({}, open), { description: 'Tools that can be called now.' }),
  },
  { ...open, description: 'Tools of loaded skills' },
);

export const ReadyAnswerSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'True while the gateway answers.' }),
    live_instance_count: Type.Integer({ description: 'Instances that can be called.' }),
    instances: Type.Array(Type.Object({}, open), { description: 'What is known of each.' }),
  },
  { ...open, description: 'The gateway and its instances' },
);

/** By operation, as the routes name them. */
export const gatewayAnswers = {
  search: SearchAnswer,
  describe: DescribeAnswer,
  load_skill: LoadAnswer,
  unload_skill: UnloadAnswer,
  call: CallAnswer,
  call_batch: BatchAnswer,
  skills: SkillList,
  failure: Failure,
};
