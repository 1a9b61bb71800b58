/** The rows of a call: who made it and what it cost, and where its time went (shape:audit-rows). Nothing secret in them. */

import type { CallRecord } from '../../../schemas/call-record.ts';
import { text } from '../../../schemas/loose.ts';
import { paramsText } from '../../../schemas/params-text.ts';
import { payloadOf, perToken } from '../../../schemas/payload.ts';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import { rememberedBy } from '../../../schemas/remembered.ts';
import { traceOf } from '../../../schemas/traceparent.ts';
import type { Codec } from '../../rest/api.ts';
import type { Allowance } from './allowance.ts';
import type { AuditRow, TraceRow } from './api.ts';
import { createRepeated } from './repeated.ts';
import { createClock, member, plain, rounded } from './row-text.ts';
import { spansOf } from './spans.ts';

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

  /** Members of an object that goes on. */
  const accountingOf = rememberedBy(
    ([original, returned]: readonly [number, number]) => `${original} ${returned}`,
    ([original, returned]) => JSON.stringify(codec.accounting(original, returned)).slice(0, -1),
  );

  /** A member of both rows; none where there is no answer. */
  const tokensOf = (record: CallRecord): string => {
    const { format, originalBytes, returnedBytes } = record;
    const original = originalBytes || bytesOf(record);
    if (original === 0) return '';
    const toon = format === 'toon' ? returnedBytes : toonBytes(record);
    const told = accountingOf([original, returnedBytes || original]);
    const other = toon === undefined ? '' : `,"toon":${size(toon)}`;
    return `,"token_accounting":${told}${plain('response_format', format)},"json":${size(original)}${other}}`;
  };

  const clock = createClock();
  const { originOf, targetOf } = createRepeated();

  /** What both rows have. */
  const partsOf = (record: CallRecord) => {
    const own = traceOf(record.traceparent);
    const origin = originOf(record);
    const target = targetOf(record);
    const parent = parentOf(record, own?.spanId);
    const parentRequest = member('parent_request_id', record.parentRequestId ?? origin.parentRequest);
    const ids = member('request_id', withoutSecrets(record.requestId)) + member('trace_id', record.traceId);
    const spans = plain('span_id', own?.spanId) + plain('parent_span_id', parent);
    const head = ids + target.how + spans + target.where + target.skill + parentRequest;
    return { record, origin, target, own, parent, head, tokens: tokensOf(record) };
  };

  let last: ReturnType<typeof partsOf> | undefined;

  /** Made once for both rows of a record. */
  const both = (record: CallRecord) => {
    if (last?.record !== record) last = partsOf(record);
    return last;
  };

  const texts = {
    audit(record: CallRecord): string {
      const { head, origin, target, tokens } = both(record);
      const { message, kind } = failureOf(record);
      return (
        `{"timestamp":"${clock(timeOrigin + record.ended)}","action":${target.slug},"success":${record.ok}${head}${origin.by}` +
        `${member('error', message)}${member('error_kind', kind)},"duration_ms":${durationOf(record)}${tokens}}`
      );
    },

    trace(record: CallRecord): string {
      const { head, origin, target, own, parent, tokens } = both(record);
      const { ok, error, errorKind, args, answer, answerBytes, headers, meta, arrived } = record;
      const state = text(headers.tracestate) ?? text(meta.tracestate);
      const input = payloadOf(typeof args === 'string' ? args : paramsText(args ?? {}));
      const output = answer === undefined ? undefined : payloadOf(answer, answerBytes);
      const failure = error === undefined ? undefined : { kind: errorKind ?? 'error', message: withoutSecrets(error) };
      const spans = spansOf(
        record,
        { spanId: own?.spanId, parentId: parent, target, bytes: bytesOf(record) },
        timeOrigin,
      );
      return (
        `{"started_at":"${clock(timeOrigin + arrived)}","total_ms":${rounded((record.toldAt || record.ended) - arrived)}` +
        `,"tool_slug":${target.slug},"ok":${ok},"spans":[${spans}]${head}${plain('trace_flags', own?.flags)}` +
        `${member('trace_state', state === undefined ? undefined : withoutSecrets(state.slice(0, 512)))}` +
        `${origin.context}${member('input', input)}${member('output', output)}` +
        `${member('error', failure)}${tokens}${origin.usage}}`
      );
    },
  };
  return {
    texts,
    audit: (record: CallRecord): AuditRow => JSON.parse(texts.audit(record)) as AuditRow,
    trace: (record: CallRecord): TraceRow => JSON.parse(texts.trace(record)) as TraceRow,
  };
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
