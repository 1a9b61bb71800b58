/** The rows of a call: who made it and what it cost, and where its time went (shape:audit-rows). Nothing secret in them. */
import { attributionOf } from '../../../schemas/attribution.ts';
import { type Json, objectOf, text } from '../../../schemas/loose.ts';
import { paramsText } from '../../../schemas/params-text.ts';
import { mayHoldSecret, redacted, withoutSecrets } from '../../../schemas/redaction.ts';
import { traceOf } from '../../../schemas/traceparent.ts';
import type { Codec } from '../../rest/api.ts';
import type { AuditRow, CallTokens, Payload, TraceRow, TraceSpan } from './api.ts';
import type { CallRecord } from './record.ts';

/** Characters of a payload that a trace has. */
const shownPayload = 4096;
const perToken = 4;
/** Of a part, the end may be half of a secret. */
const longestSecret = 512;

export type Rows = ReturnType<typeof createRows>;

/** `timeOrigin` is that of the thread that took the moments of the calls. */
export function createRows(codec: Pick<Codec, 'accounting' | 'toon'>, timeOrigin = performance.timeOrigin) {
  const size = (bytes: number) => ({ bytes, tokens: Math.ceil(bytes / perToken) });

  /** Bytes of the answer as TOON, where all of it is kept. */
  const toonBytes = ({ answer, answerBytes }: CallRecord): number | undefined => {
    if (answer === undefined || Buffer.byteLength(answer) !== answerBytes) return undefined;
    try {
      return Buffer.byteLength(codec.toon(JSON.parse(answer)));
    } catch {
      return undefined;
    }
  };

  const tokensOf = (record: CallRecord): CallTokens | undefined => {
    const { passage, answerBytes } = record;
    const { format, original_bytes, returned_bytes } = passage.told;
    if (answerBytes === 0) return undefined;
    const original = original_bytes || answerBytes;
    const toon = format === 'toon' ? returned_bytes : toonBytes(record);
    return {
      ...codec.accounting(original, returned_bytes || original),
      ...(format && { response_format: format }),
      json: size(original),
      ...(toon !== undefined && { toon: size(toon) }),
    };
  };

  /** What both rows say. */
  const headOf = ({ passage, source, correlation, origin, attribution }: CallRecord) => {
    const own = idsOf(passage.traceparent);
    // What came in a header is the parent, unless the call itself names one.
    const given = idsOf(origin.meta.traceparent);
    const around = idsOf(origin.headers.traceparent);
    const parent = given.span !== undefined && given.span !== own.span ? given : around;
    const who = attribution ?? attributionOf(origin);
    return {
      who,
      own,
      ids: {
        request_id: withoutSecrets(String(correlation.request_id ?? '')),
        trace_id: String(correlation.trace_id ?? own.trace ?? ''),
        ...(own.span !== undefined && { span_id: own.span }),
        ...(parent.span !== undefined && parent.span !== own.span && { parent_span_id: parent.span }),
      },
      place: {
        ...(typeof source.instance_id === 'string' && { instance_id: source.instance_id }),
        ...(typeof correlation.session_id === 'string' && { session_id: correlation.session_id }),
        ...(typeof source.dcc_type === 'string' && { dcc_type: source.dcc_type }),
        transport: origin.transport,
      },
      parent_request_id: passage.parentRequestId ?? who.parent_request_id,
      method: origin.transport === 'mcp' ? 'tools/call' : 'POST /v1/call',
    };
  };

  const timeOf = (record: CallRecord): string => new Date(record.at).toISOString();

  let last: { record: CallRecord; head: ReturnType<typeof headOf>; tokens: CallTokens | undefined } | undefined;

  /** What both rows of a record have, made once for both. */
  const both = (record: CallRecord) => {
    if (last?.record !== record) last = { record, head: headOf(record), tokens: tokensOf(record) };
    return last;
  };

  return {
    audit(record: CallRecord): AuditRow {
      const { head, tokens } = both(record);
      const { who, ids, place, parent_request_id, method } = head;
      const { slug, skill, ok, ms, error, errorKind } = record;
      return {
        timestamp: timeOf(record),
        ...ids,
        method,
        ...place,
        ...who,
        ...(parent_request_id !== undefined && { parent_request_id }),
        action: withoutSecrets(slug),
        ...(typeof skill === 'string' && { skill_name: skill }),
        success: ok,
        ...(error !== undefined && { error: withoutSecrets(error) }),
        ...(typeof errorKind === 'string' && { error_kind: errorKind }),
        ...(!ok && error === undefined && { error: 'the tool reported a failure', error_kind: 'tool-error' }),
        ...(typeof ms === 'number' && { duration_ms: ms }),
        ...(tokens && { token_accounting: tokens }),
      };
    },

    trace(record: CallRecord): TraceRow {
      const { head, tokens } = both(record);
      const { who, ids, own, place, parent_request_id, method } = head;
      const { passage, slug, skill, ok, error, errorKind, args, answer, answerBytes, origin } = record;
      const context = objectOf(origin.meta.agent_context);
      const state = text(origin.headers.tracestate) ?? text(origin.meta.tracestate);
      return {
        ...ids,
        ...(parent_request_id !== undefined && { parent_request_id }),
        ...(own.flags !== undefined && { trace_flags: own.flags }),
        ...(state !== undefined && { trace_state: withoutSecrets(state.slice(0, 512)) }),
        method,
        tool_slug: withoutSecrets(slug),
        ...(typeof skill === 'string' && { skill_name: skill }),
        ...place,
        ...(Object.keys(context).length > 0 && { agent_context: JSON.parse(paramsText(context)) as Json }),
        started_at: new Date(timeOrigin + passage.arrived).toISOString(),
        total_ms: rounded((passage.told.at || passage.ended) - passage.arrived),
        ok,
        spans: spansOf(record, ids, timeOrigin),
        input: payload(typeof args === 'string' ? args : paramsText(args ?? {})),
        ...(answer !== undefined && { output: payload(answer, answerBytes) }),
        ...(error !== undefined && { error: { kind: String(errorKind ?? 'error'), message: withoutSecrets(error) } }),
        ...(tokens && { token_accounting: tokens }),
        ...(who.llm_usage && { llm_usage: who.llm_usage }),
      };
    },
  };
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

function idsOf(traceparent: unknown): { trace?: string; span?: string; flags?: string } {
  const found = traceOf(traceparent);
  return found ? { trace: found.traceId, span: found.spanId, flags: found.flags } : {};
}

/** Ids of the parts of a call: made of its span's, so that they are the same whenever somebody looks. */
const turned = (id: string, by: number): string => id.slice(by) + id.slice(0, by);

/** client -> gateway -> adapter -> skill, as far as the call came. */
function spansOf(record: CallRecord, ids: { span_id?: string; parent_span_id?: string }, timeOrigin: number) {
  const { span_id = '', parent_span_id } = ids;
  const { passage, ok, slug, tool, skill, source, answerBytes, origin } = record;
  const { arrived, began, sent, answered, ended, toolMs, told } = passage;
  const span = (id: string, parent: string | undefined, name: string, from: number, to: number, attributes: Json) => ({
    span_id: id,
    ...(parent !== undefined && { parent_span_id: parent }),
    name,
    started_ns: Math.round((timeOrigin + from) * 1e6),
    duration_ns: Math.max(0, Math.round((to - from) * 1e6)),
    ok,
    attributes: attributes as TraceSpan['attributes'],
  });
  const client = turned(span_id, 5);
  const adapter = turned(span_id, 10);
  const returned = told.returned_bytes || answerBytes;
  const spans: TraceSpan[] = [
    span(client, parent_span_id, 'client', arrived, told.at || ended, {
      transport: origin.transport,
      ...(told.format && { response_format: told.format }),
      ...(returned > 0 && { returned_bytes: returned }),
    }),
    span(span_id, client, 'gateway', began, ended, { tool_slug: withoutSecrets(slug) }),
  ];
  if (sent === 0) return spans;
  const { instance_id, dcc_type } = source;
  const to = answered || ended;
  spans.push(span(adapter, span_id, 'adapter', sent, to, { instance_id, dcc_type }));
  if (toolMs !== undefined) {
    // Clocks of two machines differ: the tool is shown in the middle of what its instance took.
    const before = Math.max(0, to - sent - toolMs) / 2;
    const named = { tool_name: tool, ...(typeof skill === 'string' && { skill_name: skill }) };
    spans.push(span(turned(span_id, 3), adapter, 'skill', sent + before, sent + before + toolMs, named));
  }
  return spans;
}

/** What is looked through for secrets goes beyond what is shown: half of a secret is not told by its looks. */
function payload(given: string, bytes = Buffer.byteLength(given)): Payload {
  const whole = Buffer.byteLength(given) === bytes;
  const looked = mayHoldSecret(given) ? cleaned(given) : given;
  const clean = whole ? looked : looked.slice(0, Math.max(0, looked.length - longestSecret));
  const truncated = clean.length > shownPayload || !whole;
  return {
    content: clean.slice(0, shownPayload),
    mime_type: 'application/json',
    truncated,
    original_size: bytes,
    estimated_tokens: Math.ceil(bytes / perToken),
  };
}

/** By the names of members where it is JSON, by looks alone where a part is missing. */
function cleaned(given: string): string {
  try {
    return JSON.stringify(redacted(JSON.parse(given)));
  } catch {
    return withoutSecrets(given);
  }
}
