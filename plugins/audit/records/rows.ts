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

/** What both rows say. */
type Head = Pick<
  AuditRow & TraceRow,
  | 'request_id'
  | 'trace_id'
  | 'method'
  | 'transport'
  | 'span_id'
  | 'parent_span_id'
  | 'instance_id'
  | 'session_id'
  | 'dcc_type'
  | 'skill_name'
  | 'parent_request_id'
>;

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
    const tokens: CallTokens = codec.accounting(original, returned_bytes || original);
    if (format) tokens.response_format = format;
    tokens.json = size(original);
    if (toon !== undefined) tokens.toon = size(toon);
    return tokens;
  };

  /** What both rows say. */
  const headOf = ({ passage, source, correlation, origin, attribution, skill }: CallRecord) => {
    const own = idsOf(passage.traceparent);
    // What came in a header is the parent, unless the call itself names one.
    const given = idsOf(origin.meta.traceparent);
    const around = idsOf(origin.headers.traceparent);
    const parent = given.span !== undefined && given.span !== own.span ? given : around;
    const who = attribution ?? attributionOf(origin);
    const head: Head = {
      request_id: withoutSecrets(String(correlation.request_id ?? '')),
      trace_id: String(correlation.trace_id ?? own.trace ?? ''),
      method: origin.transport === 'mcp' ? 'tools/call' : 'POST /v1/call',
      transport: origin.transport,
    };
    if (own.span !== undefined) head.span_id = own.span;
    if (parent.span !== undefined && parent.span !== own.span) head.parent_span_id = parent.span;
    if (typeof source.instance_id === 'string') head.instance_id = source.instance_id;
    if (typeof correlation.session_id === 'string') head.session_id = correlation.session_id;
    if (typeof source.dcc_type === 'string') head.dcc_type = source.dcc_type;
    if (typeof skill === 'string') head.skill_name = skill;
    const parentRequest = passage.parentRequestId ?? who.parent_request_id;
    if (parentRequest !== undefined) head.parent_request_id = parentRequest;
    return { who, own, head };
  };

  const timeOf = (record: CallRecord): string => new Date(record.at).toISOString();

  let last: (ReturnType<typeof headOf> & { record: CallRecord; tokens: CallTokens | undefined }) | undefined;

  /** What both rows of a record have, made once for both. */
  const both = (record: CallRecord) => {
    if (last?.record !== record) last = { ...headOf(record), record, tokens: tokensOf(record) };
    return last;
  };

  // Members one by one: objects that are spread cost several times as much, and this is done for every call.
  return {
    audit(record: CallRecord): AuditRow {
      const { head, who, tokens } = both(record);
      const { slug, ok, ms, error, errorKind } = record;
      const row: AuditRow = { timestamp: timeOf(record), action: withoutSecrets(slug), success: ok, ...head };
      Object.assign(row, who);
      if (head.parent_request_id !== undefined) row.parent_request_id = head.parent_request_id;
      if (error !== undefined) row.error = withoutSecrets(error);
      if (typeof errorKind === 'string') row.error_kind = errorKind;
      if (!ok && error === undefined) {
        row.error = 'the tool reported a failure';
        row.error_kind = 'tool-error';
      }
      if (typeof ms === 'number') row.duration_ms = ms;
      if (tokens) row.token_accounting = tokens;
      return row;
    },

    trace(record: CallRecord): TraceRow {
      const { head, who, own, tokens } = both(record);
      const { passage, slug, ok, error, errorKind, args, answer, answerBytes, origin } = record;
      const row: TraceRow = {
        started_at: new Date(timeOrigin + passage.arrived).toISOString(),
        total_ms: rounded((passage.told.at || passage.ended) - passage.arrived),
        tool_slug: withoutSecrets(slug),
        ok,
        spans: spansOf(record, head, timeOrigin),
        ...head,
      };
      if (own.flags !== undefined) row.trace_flags = own.flags;
      const state = text(origin.headers.tracestate) ?? text(origin.meta.tracestate);
      if (state !== undefined) row.trace_state = withoutSecrets(state.slice(0, 512));
      const context = objectOf(origin.meta.agent_context);
      if (Object.keys(context).length > 0) row.agent_context = JSON.parse(paramsText(context)) as Json;
      row.input = payload(typeof args === 'string' ? args : paramsText(args ?? {}));
      if (answer !== undefined) row.output = payload(answer, answerBytes);
      if (error !== undefined) row.error = { kind: String(errorKind ?? 'error'), message: withoutSecrets(error) };
      if (tokens) row.token_accounting = tokens;
      if (who.llm_usage) row.llm_usage = who.llm_usage;
      return row;
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
  const span = (id: string, parent: string | undefined, name: string, from: number, to: number, attributes: Json) => {
    const made: TraceSpan = {
      span_id: id,
      name,
      started_ns: Math.round((timeOrigin + from) * 1e6),
      duration_ns: Math.max(0, Math.round((to - from) * 1e6)),
      ok,
      attributes: attributes as TraceSpan['attributes'],
    };
    if (parent !== undefined) made.parent_span_id = parent;
    return made;
  };
  const client = turned(span_id, 5);
  const adapter = turned(span_id, 10);
  const returned = told.returned_bytes || answerBytes;
  const end: Json = { transport: origin.transport };
  if (told.format) end.response_format = told.format;
  if (returned > 0) end.returned_bytes = returned;
  const spans = [
    span(client, parent_span_id, 'client', arrived, told.at || ended, end),
    span(span_id, client, 'gateway', began, ended, { tool_slug: withoutSecrets(slug) }),
  ];
  if (sent === 0) return spans;
  const { instance_id, dcc_type } = source;
  const to = answered || ended;
  spans.push(span(adapter, span_id, 'adapter', sent, to, { instance_id, dcc_type }));
  if (toolMs !== undefined) {
    // Clocks of two machines differ: the tool is shown in the middle of what its instance took.
    const before = Math.max(0, to - sent - toolMs) / 2;
    const named: Json = { tool_name: tool };
    if (typeof skill === 'string') named.skill_name = skill;
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
