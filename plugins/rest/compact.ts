/** The compact forms of answers that go out as TOON: what a model does not need is left out (shape:encoding). Pure. */
import type { Json } from '../../schemas/loose.ts';
import type { Compaction, TokenAccounting } from './api.ts';

const kept =
  'tool_slug backend_tool callable_id skill_name summary tags dcc_type instance_id has_schema loaded load_state callable disabled_by_group rank score next_step'.split(
    ' ',
  );

/** A quarter of the bytes. */
const tokensOf = (bytes: number): number => Math.ceil(bytes / 4);

export function accounting(original_bytes: number, returned_bytes: number): TokenAccounting {
  const original_tokens = tokensOf(original_bytes);
  const returned_tokens = tokensOf(returned_bytes);
  const saved_tokens = Math.max(0, original_tokens - returned_tokens);
  return {
    estimator: 'svc-byte4-v1',
    original_bytes,
    returned_bytes,
    original_tokens,
    returned_tokens,
    saved_tokens,
    savings_pct: saved_tokens === 0 ? '0.00' : ((saved_tokens / original_tokens) * 100).toFixed(2),
  };
}

/** A search hit or a record with the members that are kept. */
export function compactRecord(record: Json): Json {
  const found: Json = {};
  for (const key of kept) {
    const value = record[key];
    if (isEmpty(value) || (key === 'callable_id' && value === record.backend_tool)) continue;
    found[key] = value;
  }
  return found;
}

export function compact(value: unknown, form: Compaction, bytesOf: (value: unknown) => [number, number]): unknown {
  if (typeof value !== 'object' || value === null || form === 'none') return value;
  const answer = value as Json;
  if (form === 'search' && Array.isArray(answer.hits)) {
    return { ...answer, hits: answer.hits.map(each => compactRecord(each as Json)) };
  }
  if (form === 'describe' && typeof answer.record === 'object' && answer.record !== null) {
    const { request_id, trace_id, index_generation, next_step, record, tool } = answer;
    return withoutEmpty({
      ...{ request_id, trace_id, index_generation, next_step },
      record: compactRecord(record as Json),
      tool,
    });
  }
  if (form === 'batch' && Array.isArray(answer.results)) {
    const results = answer.results.map((each: Json) => ({ ...each, token_accounting: accounting(...bytesOf(each)) }));
    return { ...answer, results };
  }
  return value;
}

const withoutEmpty = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)));

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}
