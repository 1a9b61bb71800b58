/** The rows of a call: who made it and what it cost, and where its time went (shape:audit-rows). Nothing secret in them. */

import { attributionOf } from '../../../schemas/attribution.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { type Json, objectOf, text } from '../../../schemas/loose.ts';
import { paramsText } from '../../../schemas/params-text.ts';
import { payloadOf, perToken } from '../../../schemas/payload.ts';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import { traceOf } from '../../../schemas/traceparent.ts';
import type { Codec } from '../../rest/api.ts';
import type { AuditRow, CallTokens, TraceRow, TraceSpan } from './api.ts';

/** What both rows say. */
type Head = Pick<
  AuditRow & TraceRow,
  | 'request_id'
  | 'trace_id'
  | 'method'
  | 'operation'
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
    if (answer === undefined || answerBytes !== undefined) return undefined;
    try {
      return Buffer.byteLength(codec.toon(JSON.parse(answer)));
    } catch {
      return undefined;
    }
  };

  const tokensOf = (record: CallRecord): CallTokens | undefined => {
    const { format, originalBytes, returnedBytes } = record;
    const original = originalBytes || bytesOf(record);
    if (original === 0) return undefined;
    const toon = format === 'toon' ? returnedBytes : toonBytes(record);
    const tokens: CallTokens = codec.accounting(original, returnedBytes || original);
    if (format) tokens.response_format = format;
    tokens.json = size(original);
    if (toon !== undefined) tokens.toon = size(toon);
    return tokens;
  };

  /** What both rows say. */
  const headOf = (record: CallRecord) => {
    const { transport, operation, instanceId, sessionId, dccType, skill } = record;
    const own = idsOf(record.traceparent);
    // What came in a header is the parent, unless the call itself names one.
    const given = idsOf(record.meta.traceparent);
    const around = idsOf(record.headers.traceparent);
    const parent = given.span !== undefined && given.span !== own.span ? given : around;
    const who = record.attribution ?? attributionOf(record);
    const head: Head = {
      request_id: withoutSecrets(record.requestId),
      trace_id: record.traceId,
      method: transport === 'mcp' ? 'tools/call' : `POST /v1/${operation ?? 'call'}`,
      transport,
    };
    if (own.span !== undefined) head.span_id = own.span;
    if (parent.span !== undefined && parent.span !== own.span) head.parent_span_id = parent.span;
    if (operation !== undefined) head.operation = operation;
    if (instanceId !== undefined) head.instance_id = instanceId;
    if (sessionId !== undefined) head.session_id = sessionId;
    if (dccType !== undefined) head.dcc_type = dccType;
    if (skill !== null) head.skill_name = skill;
    const parentRequest = record.parentRequestId ?? who.parent_request_id;
    if (parentRequest !== undefined) head.parent_request_id = parentRequest;
    return { who, own, head };
  };

  const timeOf = ({ ended }: CallRecord): string => new Date(timeOrigin + ended).toISOString();

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
      const { slug, ok, error, errorKind } = record;
      const row: AuditRow = { timestamp: timeOf(record), action: withoutSecrets(slug), success: ok, ...head };
      Object.assign(row, who);
      if (head.parent_request_id !== undefined) row.parent_request_id = head.parent_request_id;
      if (error !== undefined) row.error = withoutSecrets(error);
      if (errorKind !== undefined) row.error_kind = errorKind;
      if (!ok && error === undefined) {
        row.error = 'the tool reported a failure';
        row.error_kind = 'tool-error';
      }
      row.duration_ms = durationOf(record);
      if (tokens) row.token_accounting = tokens;
      return row;
    },

    trace(record: CallRecord): TraceRow {
      const { head, who, own, tokens } = both(record);
      const { slug, ok, error, errorKind, args, answer, answerBytes, headers, meta, arrived } = record;
      const row: TraceRow = {
        started_at: new Date(timeOrigin + arrived).toISOString(),
        total_ms: rounded((record.toldAt || record.ended) - arrived),
        tool_slug: withoutSecrets(slug),
        ok,
        spans: spansOf(record, head, timeOrigin),
        ...head,
      };
      if (own.flags !== undefined) row.trace_flags = own.flags;
      const state = text(headers.tracestate) ?? text(meta.tracestate);
      if (state !== undefined) row.trace_state = withoutSecrets(state.slice(0, 512));
      const context = objectOf(meta.agent_context);
      if (Object.keys(context).length > 0) row.agent_context = JSON.parse(paramsText(context)) as Json;
      row.input = payloadOf(typeof args === 'string' ? args : paramsText(args ?? {}));
      if (answer !== undefined) row.output = payloadOf(answer, answerBytes);
      if (error !== undefined) row.error = { kind: errorKind ?? 'error', message: withoutSecrets(error) };
      if (tokens) row.token_accounting = tokens;
      if (who.llm_usage) row.llm_usage = who.llm_usage;
      return row;
    },
  };
}

/** What an answer takes; 0 where there is none. */
const bytesOf = ({ answer, answerBytes }: CallRecord): number =>
  answerBytes ?? (answer === undefined ? 0 : Buffer.byteLength(answer));

/** How long the gateway had the call, in ms. */
export const durationOf = ({ began, ended }: CallRecord): number => rounded(ended - began);

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
  const { ok, slug, tool, skill, arrived, began, sent, answered, ended, toolMs, toldAt, format } = record;
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
  const returned = record.returnedBytes || bytesOf(record);
  const end: Json = { transport: record.transport };
  if (format) end.response_format = format;
  if (returned > 0) end.returned_bytes = returned;
  const spans = [
    span(client, parent_span_id, 'client', arrived, toldAt || ended, end),
    span(span_id, client, 'gateway', began, ended, { tool_slug: withoutSecrets(slug) }),
  ];
  if (sent === 0) return spans;
  const { instanceId: instance_id, dccType: dcc_type } = record;
  const to = answered || ended;
  spans.push(span(adapter, span_id, 'adapter', sent, to, { instance_id, dcc_type }));
  if (toolMs !== undefined) {
    // Clocks of two machines differ: the tool is shown in the middle of what its instance took.
    const before = Math.max(0, to - sent - toolMs) / 2;
    const named: Json = { tool_name: tool };
    if (skill !== null) named.skill_name = skill;
    spans.push(span(turned(span_id, 3), adapter, 'skill', sent + before, sent + before + toolMs, named));
  }
  return spans;
}
