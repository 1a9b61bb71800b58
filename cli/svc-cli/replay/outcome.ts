/** What an answer says, apart from what differs each time; and how two of them differ. */
import { isObject, type Json, objectOf, parsed } from '../../../schemas/loose.ts';
import { isLike } from '../../../schemas/wildcard.ts';

export interface Outcome {
  readonly failed: boolean;
  readonly value: unknown;
}

export interface Difference {
  /** `said.0.x`; empty for the whole. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members that are new in each answer, and say nothing of what a tool did. */
const passing = new Set([
  ...['_meta', 'request_id', 'trace_id', 'session_id', 'index_generation', 'search_id', 'ranker_version'],
  ...['job_id', 'core_job_id', 'token_accounting', 'svc/duration_ms'],
]);

/** Of a message of JSON-RPC, or a body of REST. */
export function outcomeOf(data: unknown): Outcome {
  if (!isObject(data)) return { failed: false, value: data };
  const { error, result } = data;
  if (error !== undefined && error !== null) return { failed: true, value: messageOf(error) };
  if ('jsonrpc' in data || isObject(result)) return outcomeOf(result);
  if (Array.isArray(data.results)) {
    const outcomes = objects(data.results).map(each => outcomeOf(each.error === undefined ? each.result : each));
    return { failed: data.success === false, value: outcomes };
  }
  return { failed: data.isError === true, value: saidIn(data) };
}

const objects = (list: readonly unknown[]): Json[] => list.map(objectOf);
const messageOf = (error: unknown): unknown => (isObject(error) ? { kind: error.kind, message: error.message } : error);

/** Structured content, else the texts, those that are JSON as what they say. */
function saidIn({ structuredContent, content, ...rest }: Json): unknown {
  if (structuredContent !== undefined) return structuredContent;
  if (!Array.isArray(content)) return rest;
  const values = content.map(each => {
    const { text } = objectOf(each);
    return typeof text === 'string' ? (parsed(text) ?? text) : each;
  });
  return values.length === 1 ? values[0] : values;
}

/** Where two outcomes differ; `ignored` are patterns of paths, of whole ones or of their last name. */
export function differences(before: Outcome, after: Outcome, ignored: readonly string[]): Difference[] {
  const found: Difference[] = [];
  if (before.failed !== after.failed) found.push({ path: 'failed', before: before.failed, after: after.failed });
  compare(before.value, after.value, '', ignored, found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, ignored: readonly string[], found: Difference[]): void {
  // What was taken out of the captured answer cannot be compared.
  if (Object.is(before, after) || (typeof before === 'string' && /\[redacted/i.test(before))) return;
  const lists = Array.isArray(before) && Array.isArray(after);
  if (lists || (isObject(before) && isObject(after))) {
    const [one, other] = [before as Json, after as Json];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (passing.has(name)) continue;
      const inside = path === '' ? name : `${path}.${name}`;
      if (!isLike(inside, ignored) && !isLike(name, ignored)) compare(one[name], other[name], inside, ignored, found);
    }
    return;
  }
  found.push({ path, before, after });
}
