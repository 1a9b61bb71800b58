/** The compact forms of answers: what a model chooses and acts by, what is common said once (shape:encoding). Pure. */
import { isObject, type Json, objectOf, objects, text, texts } from '../../schemas/loose.ts';
import { accounting } from '../../schemas/token-accounting.ts';
import type { CompactForm, Compaction } from './api.ts';
import { compactDescription } from './compact-description.ts';
import { compactSearch } from './compact-search.ts';
import { type Look, sendable, verbOf, withoutEmpty } from './compact-step.ts';

type Compactor = (answer: Json, look: Look, bytesOf: BytesOf) => Json;
type BytesOf = (value: unknown) => [number, number];

const compactors: Readonly<Record<Exclude<Compaction, 'none'>, Compactor>> = {
  search: compactSearch,
  describe: compactDescription,
  load: loaded,
  failure,
  batch,
};

/** The compact form of an answer; `verbose` in the request keeps all of it, `fields` adds members by their names. */
export function compact(value: unknown, { kind, door, asked: given }: CompactForm, bytesOf: BytesOf): unknown {
  const asked = objectOf(given);
  if (!isObject(value) || kind === 'none' || asked.verbose === true || asked.verbose === 'true') return value;
  return compactors[kind](value, { door, asked, fields: fieldsOf(asked.fields) }, bytesOf);
}

/** A list, or a text with commas, as a query has it. */
const fieldsOf = (given: unknown): string[] => (typeof given === 'string' ? given.split(',') : texts(given));

const keptOfLoad = 'loaded unloaded skill_name tools_removed errors group changed active_groups activated_groups'.split(
  ' ',
);

/** What was loaded or unloaded; for a tool that it was asked for, all that a call needs. */
function loaded(answer: Json, { door, asked, fields }: Look): Json {
  const { next_step, compact_schema, input_schema, new_tool_slugs } = answer;
  const wanted = text(asked.tool_slug) ?? text(asked.target_tool_slug);
  const { tool_slug, complete_for_call } = objectOf(compact_schema);
  const step = objectOf(next_step);
  const target = wanted === undefined ? undefined : (tool_slug ?? objectOf(step.arguments).tool_slug);
  const callable = complete_for_call === true && isObject(input_schema);
  return withoutEmpty({
    ...pick(answer, keptOfLoad),
    ...(answer.partial === true && { partial: true }),
    ...(target === undefined
      ? { new_tool_slugs, next_step: isObject(next_step) ? sendable(step, door) : undefined }
      : {
          new_tools: texts(new_tool_slugs).length,
          tool_slug: target,
          ...(callable && { input_schema }),
          next_step: callable ? 'call' : verbOf(step),
        }),
    ...pick(answer, fields),
  });
}

/** What a client can act on: without what is empty, what only repeats the message, and the codes of programs. */
function failure(answer: Json, { door, fields }: Look): Json {
  if (!isObject(answer.error)) return answer;
  const { error, ...rest } = answer;
  const { code, backend, next_step, recommended_next_action, policy, ...told } = error as Json;
  const step = isObject(next_step) ? { next_step: sendable(next_step, door) } : { recommended_next_action };
  const candidates = unnamed(told.candidates, String(told.message));
  return { ...rest, error: { ...withoutEmpty({ ...told, candidates, ...step }), ...pick(objectOf(error), fields) } };
}

/** Candidates, but not those that the message names. */
const unnamed = (candidates: unknown, message: string): unknown[] =>
  Array.isArray(candidates) ? candidates.filter(each => typeof each !== 'string' || !message.includes(each)) : [];

/** Over REST each item says what it cost; a model has no use for that, nor for the correlation. */
function batch(answer: Json, look: Look, bytesOf: BytesOf): Json {
  if (!Array.isArray(answer.results)) return answer;
  if (look.door === 'mcp') {
    const { success, results } = answer;
    return { success, results: objects(results).map(each => failure(each, look)) };
  }
  const results = answer.results.map((each: Json) => ({ ...each, token_accounting: accounting(...bytesOf(each)) }));
  return { ...answer, results };
}

const pick = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.flatMap(name => (value[name] === undefined ? [] : [[name, value[name]]])));
