/** Answers of the gateway's REST routes, as far as they are promised; for the description of the API. */
import { Type } from 'typebox';

const open = { additionalProperties: true };
const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const record = (description: string) => Type.Object({}, { ...open, description });
const records = (description: string) => Type.Array(Type.Object({}, open), { description });
const total = Type.Integer({ description: 'How many.' });
const object = (description: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { ...open, description });
/** An answer that is tied to its request and to the state of the index. */
const answer = (description: string, properties: Parameters<typeof Type.Object>[0]) =>
  object(description, {
    ...properties,
    request_id: text('The X-Request-ID of the request, or a new one.'),
    trace_id: text('Trace id, 32 hex digits.'),
    index_generation: text('State of the tool index; compare for equality only.'),
  });

/** By operation, as the routes name them. */
export const gatewayAnswers = {
  search: answer('Hits, best first', {
    total,
    hits: records('Records with rank, score and next_step.'),
    search_id: text('Ties later requests to this search.'),
    ranker_version: text('Which ranking it was.'),
  }),
  describe: answer('One tool in full', {
    record: record('The capability record.'),
    tool: record('The tool with its schemas.'),
  }),
  load_skill: answer('What was loaded', {
    dcc_type: text('Host type of the instance.'),
    instance_id: text('The instance.'),
    new_tool_slugs: Type.Array(Type.String(), { description: 'Tools that can be called now and could not before.' }),
  }),
  unload_skill: answer('What was unloaded', {
    unloaded: Type.Boolean({ description: 'True.' }),
    skill_name: text('The skill.'),
  }),
  call: object("The instance's own CallToolResult, its origin in _meta.dcc", {
    content: records('What the tool answered.'),
    isError: Type.Optional(Type.Boolean({ description: 'Whether it failed.' })),
  }),
  call_batch: answer('What became of the calls', {
    success: Type.Boolean({ description: 'Whether every call succeeded.' }),
    stop_on_error: Type.Boolean({ description: 'As it was asked for.' }),
    results: records('One for each call, in order.'),
  }),
  skills: object('Tools of loaded skills', { total, skills: records('Tools that can be called now.') }),
  failure: object('A failure', {
    error: object('The failure', {
      kind: text('What kind of failure it is, in kebab-case.'),
      message: text('What is wrong and what to do.'),
      candidates: Type.Array(Type.Unknown(), { description: 'What may have been meant.' }),
      previous_status: textOrNull('What the instance was last.'),
      previous_instance_id: textOrNull('The instance that is gone.'),
      retryable: Type.Union([Type.Boolean(), Type.Null()], { description: 'Whether another try may do better.' }),
      recommended_next_action: textOrNull('What to do next.'),
      backend: Type.Optional(Type.Unknown({ description: 'What the instance said.' })),
      policy: Type.Optional(record('What the policy of the gateway forbids.')),
    }),
  }),
};

export const LeaseAnswerSchema = object('The lease as it is now', {
  success: Type.Boolean({ description: 'True.' }),
  action: text('What was asked for.'),
  message: text('The same for people.'),
  instance: Type.Optional(record('The instance, its lease in pool.')),
});

export const ReadyAnswerSchema = object('The gateway and its instances', {
  ok: Type.Boolean({ description: 'True while the gateway answers.' }),
  live_instance_count: Type.Integer({ description: 'Instances that can be called.' }),
  instances: records('What is known of each.'),
});
