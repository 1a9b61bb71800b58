/** Results of calls as a model needs them: a receipt, the state of a job, a batch, each without what is said twice. Pure. */
import { isObject, type Json, objectOf, objects } from '../../schemas/loose.ts';
import { structuredOf } from './call-result.ts';

/** Whether a result may be of a job: only then it is worth to be parsed. */
export const isOfJob = (resultJson: string): boolean => resultJson.includes('"job_id_owner":"core"');

/** A result whose text says of a job what can be acted on; any other as it is. */
export function compactCall(result: Json): Json {
  const told = structuredOf(result);
  if (told === undefined || told.job_id_owner !== 'core') return result;
  const { structuredContent: _, _meta, ...rest } = result;
  const { next_step, ...dcc } = objectOf(objectOf(_meta).dcc);
  const short = 'created_at' in told ? jobState(told) : receipt(told, next_step);
  return { ...rest, content: [{ type: 'text', text: JSON.stringify(short) }], _meta: { ...objectOf(_meta), dcc } };
}

function receipt({ job_id, status }: Json, next_step: unknown): Json {
  const { meta, ...args } = objectOf(objectOf(next_step).arguments);
  return { job_id, status, ...(isObject(next_step) && { next_step: { [String(next_step.action)]: args } }) };
}

function jobState({ job_id, tool, status, progress, error, result, completed_at }: Json): Json {
  return {
    // Whoever asks again needs it.
    ...(completed_at === null && { job_id }),
    ...{ tool, status },
    ...(isObject(progress) && { progress }),
    ...(typeof error === 'string' && { error }),
    ...(isObject(result) && { result: answerOf(result) }),
  };
}

/** The answers of a batch, each with the value alone. */
export function compactBatch({ results, ...batch }: Json): Json {
  const items = objects(results).map(({ tool_slug: _, result, ...item }) => ({
    ...item,
    ...(isObject(result) && { result: answerOf(compactCall(result)) }),
  }));
  return { ...batch, results: items };
}

/** What a tool answered: its structured answer, its texts, or its content where that is more than text. */
function answerOf(result: Json): unknown {
  const items = objects(result.content);
  if (items.some(each => each.type !== 'text')) return items;
  return structuredOf(result) ?? items.map(each => each.text).join('\n');
}
