/** The answer of an instance on its way through: where it came from is spliced in, and it is parsed only when it must be. Pure. */
import { isObject, type Json, objectOf } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';

/** What a result must contain, in any depth of quoting, to report a failure. */
const suspicious =
  /\\*"(?:isError\\*"(?:\s|\\+[nrt])*:(?:\s|\\+[nrt])*true|(?:success|ok)\\*"(?:\s|\\+[nrt])*:(?:\s|\\+[nrt])*false)/;
const nested = ['result', 'output', 'structuredContent', 'structured_content', 'results'];
const maxDepth = 4;

/** Members of `_meta.dcc`. */
export function originOf({ dcc_type, instance_id, instance_short, row }: Instance): Json {
  const version = typeof row.version === 'string' && row.version !== '' ? row.version : 'unknown';
  return { dcc_type, instance_id, instance_short, display_id: `${dcc_type}@${version}-${instance_short}` };
}

/** JSON text of a result with `_meta.dcc` in it; nothing when the text is no object. */
export function withOrigin(resultJson: string, originJson: string): string | undefined {
  if (!resultJson.startsWith('{') || !resultJson.endsWith('}')) return undefined;
  if (!resultJson.includes('"_meta"')) {
    const head = resultJson.slice(0, -1);
    return `${head}${/\S/.test(head.slice(1, 64)) ? ',' : ''}"_meta":{"dcc":${originJson}}}`;
  }
  return JSON.stringify(mergedMeta(JSON.parse(resultJson) as Json, JSON.parse(originJson) as Json));
}

/** A result with members added to its `_meta.dcc`. */
export function mergedMeta(result: Json, members: Json): Json {
  const meta = isObject(result._meta) ? result._meta : {};
  const dcc = isObject(meta.dcc) ? meta.dcc : {};
  return { ...result, _meta: { ...meta, dcc: { ...dcc, ...members } } };
}

/** Whether a result reports a failure; the text is parsed only when it could. */
export function failedText(resultJson: string): boolean {
  return suspicious.test(resultJson) && reportsFailure(JSON.parse(resultJson));
}

/** `isError: true`, `success: false` or `ok: false`, here or in what the result carries. */
export function reportsFailure(value: unknown, depth = 0): boolean {
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.some(each => reportsFailure(each, depth));
  if (!isObject(value)) return false;
  if (value.isError === true || value.success === false || value.ok === false) return true;
  if (nested.some(key => reportsFailure(value[key], depth + 1))) return true;
  const { content } = value;
  return Array.isArray(content) && content.some(each => reportsFailure(textValue(each), depth + 1));
}

/** A result that says that the call became a background job. */
export interface Receipt {
  job_id: string;
  result: Json;
  receipt: Json;
}

export function receiptOf(resultJson: string): Receipt | undefined {
  if (!resultJson.includes('job_id') || !resultJson.includes('pending')) return undefined;
  const result = JSON.parse(resultJson) as Json;
  const receipt = structuredOf(result);
  const { job_id, status } = receipt ?? {};
  if (receipt === undefined || typeof job_id !== 'string' || status !== 'pending') return undefined;
  return { job_id, result, receipt };
}

/** A receipt whose `core_poll` says under which slug it is polled here, in its text too: that is what a model reads. */
export function withPoll({ result, receipt }: Receipt, tool_slug: string): Json {
  if (!isObject(receipt.core_poll)) return result;
  const told = { ...receipt, core_poll: { ...receipt.core_poll, tool_slug } };
  const [first, ...others] = Array.isArray(result.content) ? result.content : [];
  const content = textValue(first) === undefined ? [first, ...others] : [textItem(told), ...others];
  return { ...result, content, ...(isObject(result.structuredContent) && { structuredContent: told }) };
}

const textItem = (value: Json): Json => ({ type: 'text', text: JSON.stringify(value) });

/** The job that a result came from, when the instance waited for its end. */
export function jobIdOf(resultJson: string): string | undefined {
  if (!resultJson.includes('"jobIdOwner"')) return undefined;
  const { _meta } = JSON.parse(resultJson) as Json;
  const { jobId } = objectOf(objectOf(_meta).dcc);
  return typeof jobId === 'string' ? jobId : undefined;
}

/** Why the host of a failed result is said to be dead; nothing when it is not. */
export function hostDied(resultJson: string): string | undefined {
  if (!resultJson.includes('host-died')) return undefined;
  const result = JSON.parse(resultJson) as Json;
  if (!reportsFailure(result)) return undefined;
  const carried = structuredOf(result) ?? {};
  const error = isObject(carried.error) ? carried.error : {};
  if (![carried.kind, carried.error_kind, carried.error, error.kind, result.kind].includes('host-died'))
    return undefined;
  return String(error.message ?? carried.message ?? messageOfResult(result));
}

/** The structured answer of a result, or the object that its first text holds. */
export function structuredOf(result: Json): Json | undefined {
  if (isObject(result.structuredContent)) return result.structuredContent;
  const first = Array.isArray(result.content) ? textValue(result.content[0]) : undefined;
  return isObject(first) ? first : undefined;
}

/** What a failed result says, in one text. */
export function messageOfResult(result: Json): string {
  const { message, error } = structuredOf(result) ?? {};
  if (typeof message === 'string' && message !== '') return message;
  if (typeof error === 'string' && error !== '') return error;
  const [first] = Array.isArray(result.content) ? result.content : [];
  const text = isObject(first) && typeof first.text === 'string' ? first.text : 'the tool reported a failure';
  return text.length > 2000 ? `${text.slice(0, 2000)}...` : text;
}

/** The value of a text item that holds a JSON object or array. */
export function textValue(item: unknown): unknown {
  const text = isObject(item) ? item.text : undefined;
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
