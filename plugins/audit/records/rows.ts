/** The rows of a call: who made it and what it cost, and where its time went (shape:audit-rows). Nothing secret in them. */

import { attributionOf } from '../../../schemas/attribution.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { objectOf, text } from '../../../schemas/loose.ts';
import { paramsText } from '../../../schemas/params-text.ts';
import { payloadOf, perToken } from '../../../schemas/payload.ts';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import { traceOf } from '../../../schemas/traceparent.ts';
import type { Codec } from '../../rest/api.ts';
import type { Allowance } from './allowance.ts';
import type { AuditRow, TraceRow } from './api.ts';

export type Rows = ReturnType<typeof createRows>;

/** For rows that are made when somebody looks. */
const unlimited: Allowance = { within: work => work() };

/**
 * `timeOrigin` is that of the thread that took the moments of the calls. `measuring` is the time for what an answer would
 * have been in the form that it did not go out in.
 */
export function createRows(
  codec: Pick<Codec, 'accounting' | 'toon'>,
  timeOrigin = performance.timeOrigin,
  measuring = unlimited,
) {
  const size = (bytes: number): string => `{"bytes":${bytes},"tokens":${Math.ceil(bytes / perToken)}}`;

  /** Bytes of the answer as TOON, where all of it is kept. */
  const toonBytes = ({ answer, answerBytes }: CallRecord): number | undefined => {
    if (answer === undefined || answerBytes !== undefined) return undefined;
    try {
      return measuring.within(() => Buffer.byteLength(codec.toon(JSON.parse(answer))));
    } catch {
      return undefined;
    }
  };

  /** A member of both rows; none where there is no answer. */
  const tokensOf = (record: CallRecord): string => {
    const { format, originalBytes, returnedBytes } = record;
    const original = originalBytes || bytesOf(record);
    if (original === 0) return '';
    const toon = format === 'toon' ? returnedBytes : toonBytes(record);
    const told = JSON.stringify(codec.accounting(original, returnedBytes || original)).slice(0, -1);
    const other = toon === undefined ? '' : `,"toon":${size(toon)}`;
    return `,"token_accounting":${told}${plain('response_format', format)},"json":${size(original)}${other}}`;
  };

  const timeOf = (moment: number): string => new Date(timeOrigin + moment).toISOString();

  /** What both rows have. */
  const partsOf = (record: CallRecord) => {
    const { transport, operation, instanceId, sessionId, dccType, skill } = record;
    const own = traceOf(record.traceparent);
    const who = record.attribution ?? attributionOf(record);
    const parent = parentOf(record, own?.spanId);
    const parentRequest = record.parentRequestId ?? who.parent_request_id;
    const method = transport === 'mcp' ? 'tools/call' : `POST /v1/${operation ?? 'call'}`;
    const ids = member('request_id', withoutSecrets(record.requestId)) + member('trace_id', record.traceId);
    const spans = plain('span_id', own?.spanId) + plain('parent_span_id', parent);
    const where = member('instance_id', instanceId) + member('session_id', sessionId) + member('dcc_type', dccType);
    const what = plain('method', method) + plain('transport', transport) + plain('operation', operation);
    const of = member('skill_name', skill ?? undefined) + member('parent_request_id', parentRequest);
    return { record, who, own, parent, head: ids + what + spans + where + of, tokens: tokensOf(record) };
  };

  let last: ReturnType<typeof partsOf> | undefined;

  /** Made once for both rows of a record. */
  const both = (record: CallRecord) => {
    if (last?.record !== record) last = partsOf(record);
    return last;
  };

  // As text, without an object in between, which costs twice as much: this is done for every call.
  const texts = {
    audit(record: CallRecord): string {
      const { head, who, tokens } = both(record);
      const { slug, ok } = record;
      const { parent_request_id: _, ...by } = who;
      const { message, kind } = failureOf(record);
      return (
        `{"timestamp":"${timeOf(record.ended)}"${member('action', withoutSecrets(slug))},"success":${ok}${head}` +
        `${membersOf(by)}${member('error', message)}${member('error_kind', kind)},"duration_ms":${durationOf(record)}${tokens}}`
      );
    },

    trace(record: CallRecord): string {
      const { head, who, own, parent, tokens } = both(record);
      const { slug, ok, error, errorKind, args, answer, answerBytes, headers, meta, arrived } = record;
      const state = text(headers.tracestate) ?? text(meta.tracestate);
      const context = objectOf(meta.agent_context);
      const hasContext = Object.keys(context).length > 0;
      const input = payloadOf(typeof args === 'string' ? args : paramsText(args ?? {}));
      const output = answer === undefined ? undefined : payloadOf(answer, answerBytes);
      const failure = error === undefined ? undefined : { kind: errorKind ?? 'error', message: withoutSecrets(error) };
      const spans = spansOf(record, { span_id: own?.spanId, parent_span_id: parent }, timeOrigin);
      return (
        `{"started_at":"${timeOf(arrived)}","total_ms":${rounded((record.toldAt || record.ended) - arrived)}` +
        `${member('tool_slug', withoutSecrets(slug))},"ok":${ok},"spans":[${spans}]${head}${plain('trace_flags', own?.flags)}` +
        `${member('trace_state', state === undefined ? undefined : withoutSecrets(state.slice(0, 512)))}` +
        `${hasContext ? `,"agent_context":${paramsText(context)}` : ''}${member('input', input)}${member('output', output)}` +
        `${member('error', failure)}${tokens}${member('llm_usage', who.llm_usage)}}`
      );
    },
  };
  return {
    texts,
    audit: (record: CallRecord): AuditRow => JSON.parse(texts.audit(record)) as AuditRow,
    trace: (record: CallRecord): TraceRow => JSON.parse(texts.trace(record)) as TraceRow,
  };
}

/** A member after others; nothing of what is not there. */
const member = (name: string, value: unknown): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

/** The same of a text that needs no escapes. */
const plain = (name: string, value: string | undefined): string => (value === undefined ? '' : `,"${name}":"${value}"`);

/** Members of an object, after others. */
function membersOf(value: object): string {
  const json = JSON.stringify(value);
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

/** What came in a header is the parent, unless the call itself names one. */
function parentOf({ meta, headers }: CallRecord, own: string | undefined): string | undefined {
  const given = traceOf(meta.traceparent)?.spanId;
  const parent = given !== undefined && given !== own ? given : traceOf(headers.traceparent)?.spanId;
  return parent === own ? undefined : parent;
}

/** What an audit row says of a call that failed. */
function failureOf({ ok, error, errorKind }: CallRecord): { message?: string | undefined; kind?: string | undefined } {
  if (error !== undefined) return { message: withoutSecrets(error), kind: errorKind };
  return ok ? { kind: errorKind } : { message: 'the tool reported a failure', kind: 'tool-error' };
}

/** What an answer takes; 0 where there is none. */
const bytesOf = ({ answer, answerBytes }: CallRecord): number =>
  answerBytes ?? (answer === undefined ? 0 : Buffer.byteLength(answer));

/** How long the gateway had the call, in ms. */
export const durationOf = ({ began, ended }: CallRecord): number => rounded(ended - began);

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Ids of the parts of a call: made of its span's, so that they are the same whenever somebody looks. */
const turned = (id: string, by: number): string => id.slice(by) + id.slice(0, by);

interface SpanIds {
  readonly span_id: string | undefined;
  readonly parent_span_id: string | undefined;
}

/** client -> gateway -> adapter -> skill, as far as the call came, as the members of a list. */
function spansOf(record: CallRecord, { span_id = '', parent_span_id }: SpanIds, timeOrigin: number): string {
  const { ok, slug, tool, skill, arrived, began, sent, answered, ended, toolMs, toldAt, format } = record;
  const span = (id: string, parent: string | undefined, name: string, from: number, to: number, told: string) => {
    const started = Math.round((timeOrigin + from) * 1e6);
    const took = Math.max(0, Math.round((to - from) * 1e6));
    return (
      `{"span_id":"${id}"${plain('parent_span_id', parent)},"name":"${name}","started_ns":${started},` +
      `"duration_ns":${took},"ok":${ok},"attributes":{${told.slice(1)}}}`
    );
  };
  const client = turned(span_id, 5);
  const adapter = turned(span_id, 10);
  const returned = record.returnedBytes || bytesOf(record);
  const bytes = returned > 0 ? `,"returned_bytes":${returned}` : '';
  const end = plain('transport', record.transport) + plain('response_format', format) + bytes;
  const outer =
    `${span(client, parent_span_id, 'client', arrived, toldAt || ended, end)},` +
    span(span_id, client, 'gateway', began, ended, member('tool_slug', withoutSecrets(slug)));
  if (sent === 0) return outer;
  const { instanceId, dccType } = record;
  const to = answered || ended;
  const place = member('instance_id', instanceId) + member('dcc_type', dccType);
  const asked = `${outer},${span(adapter, span_id, 'adapter', sent, to, place)}`;
  if (toolMs === undefined) return asked;
  // Clocks of two machines differ: the tool is shown in the middle of what its instance took.
  const start = sent + Math.max(0, to - sent - toolMs) / 2;
  const named = member('tool_name', tool) + member('skill_name', skill ?? undefined);
  return `${asked},${span(turned(span_id, 3), adapter, 'skill', start, start + toolMs, named)}`;
}
