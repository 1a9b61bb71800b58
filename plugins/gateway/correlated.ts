/** The members that tie an answer to its request and to the state of the index (CONTRACT 3.2). Pure. */
import type { Caller, Json } from './api.ts';

/** Adds them where the answer has none of its own. */
export function correlated(answer: Json, { requestId, traceId }: Caller, index_generation: string): Json {
  return { ...answer, ...missing(answer, { request_id: requestId, trace_id: traceId, index_generation }) };
}

const missing = (answer: Json, members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([key]) => answer[key] === undefined));
