/**
 * A call as it is kept until somebody wants its rows: what its event says, no more than a bounded part of its payloads,
 * nothing of its request and its session. Made while the call waits, so it must be cheap.
 */
import type { EventEnvelope } from '../../../kernel/index.ts';
import { type Attribution, attributionOf } from '../../../schemas/attribution.ts';
import type { Json } from '../../../schemas/loose.ts';
import { isSmall, paramsText } from '../../../schemas/params-text.ts';
import { callPassage, type Origin, type Passage } from '../../../schemas/passage.ts';
import { callArguments } from '../../../schemas/tool-event.ts';

/** Characters of an answer that are kept; a shorter one is also measured in the encoding that it did not go out in. */
const keptAnswer = 8192;
const longestError = 2000;

export interface CallRecord {
  readonly at: number;
  readonly source: Readonly<Json>;
  readonly correlation: Readonly<Json>;
  readonly slug: string;
  readonly tool: unknown;
  readonly skill: unknown;
  readonly ms: unknown;
  readonly ok: boolean;
  readonly errorKind: unknown;
  readonly error: string | undefined;
  readonly passage: Passage;
  readonly origin: Origin;
  /** Made at once where the `_meta` is large. */
  readonly attribution: Attribution | undefined;
  /** Arguments: small ones as they are, others as short text. */
  readonly args: unknown;
  readonly answer: string | undefined;
  readonly answerBytes: number;
}

/** Undefined for an event that is of no passing call. */
export function recordOf({
  timestamp_ns,
  source,
  correlation,
  attributes,
}: EventEnvelope<Json>): CallRecord | undefined {
  const hidden = attributes as Readonly<Record<symbol, unknown>>;
  const passage = hidden[callPassage] as Passage | undefined;
  if (!passage) return undefined;
  const { answer, origin } = passage;
  const { tool_slug, tool_name, skill_name, duration_ms, result_success, error_kind, error_message } = attributes;
  const args = hidden[callArguments];
  const small = isSmall(origin.meta);
  // Members one by one: of objects that are spread V8 makes each, and this is done for every call.
  return {
    at: timestamp_ns / 1e6,
    source,
    correlation,
    slug: String(tool_slug),
    tool: tool_name,
    skill: skill_name,
    ms: duration_ms,
    ok: result_success !== false,
    errorKind: error_kind,
    error: typeof error_message === 'string' ? error_message.slice(0, longestError) : undefined,
    passage,
    origin: small ? origin : { ...origin, meta: {} },
    attribution: small ? undefined : attributionOf(origin),
    // One by one, not the attributes as they are: the arguments are among them.
    args: isSmall(args) ? args : paramsText(args),
    // A copy: a part of a text keeps the whole of it alive.
    answer: answer && answer.length > keptAnswer ? Buffer.from(answer.slice(0, keptAnswer)).toString() : answer,
    answerBytes: answer === undefined ? 0 : Buffer.byteLength(answer),
  };
}
