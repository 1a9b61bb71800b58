/** Answers of an instance's REST routes, as far as they are promised; for the description of the API. */
import { Type } from 'typebox';

const open = { additionalProperties: true };
const text = (description: string) => Type.String({ description });
const record = (description: string) => Type.Object({}, { ...open, description });
const records = (description: string) => Type.Array(Type.Object({}, open), { description });
const request_id = text('The X-Request-ID of the request, or a new one.');
const total = Type.Integer({ description: 'How many.' });
const answer = (description: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ ...properties, request_id }, { ...open, description });

/** By operation, as the routes name them. */
export const instanceAnswers = {
  search: answer('Hits, best first', { total, hits: records('Each with its slug and next_step.') }),
  describe: answer('One tool in full', {
    entry: record('As a search shows it.'),
    description: text('What the tool does.'),
    input_schema: Type.Optional(record('JSON Schema of the arguments.')),
    annotations: record('Safety hints.'),
  }),
  load_skill: answer('What was loaded or switched', {
    new_tool_slugs: Type.Optional(Type.Array(Type.String(), { description: 'Tools that can be called now.' })),
  }),
  unload_skill: answer('What was unloaded', { skill_name: text('The skill.') }),
  call: answer('What the tool returned', {
    slug: text('The tool.'),
    output: Type.Unknown({ description: 'Its value, or the receipt of its job.' }),
    validation_skipped: Type.Boolean({ description: 'False.' }),
  }),
  call_batch: answer('What became of the calls', {
    success: Type.Boolean({ description: 'Whether every call succeeded.' }),
    results: records('One for each call, in order.'),
  }),
  skills: answer('Tools of loaded skills', { total, skills: records('Each with its slug.') }),
  failure: answer('A failure', {
    kind: text('What kind of failure it is, in kebab-case.'),
    message: text('What is wrong and what to do.'),
  }),
};
