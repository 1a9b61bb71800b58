/** Records of calls on their way to the thread that makes their rows. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Attribution } from '../../../schemas/attribution.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import type { Json } from '../../../schemas/loose.ts';
import { mayHoldSecret } from '../../../schemas/redaction.ts';
import { type Tape, TapeReader, type TapeWriter } from '../../../schemas/tape.ts';

/** Throws for what is no JSON, and has written nothing then. */
export function packRecord(record: CallRecord, to: TapeWriter): void {
  const { args } = record;
  const client = record.client && JSON.stringify(record.client);
  const meta = isEmpty(record.meta) ? undefined : JSON.stringify(record.meta);
  const attribution = record.attribution && JSON.stringify(record.attribution);
  const given = typeof args === 'string' ? args : JSON.stringify(args);
  // Members one by one: a loop over their names takes three times as long.
  to.word(record.transport);
  to.word(record.operation);
  to.word(record.route);
  to.word(record.slug);
  to.word(record.tool);
  to.word(record.skill ?? undefined);
  to.word(record.dccType);
  to.word(record.instanceId);
  to.word(record.sessionId);
  to.word(record.peer);
  to.word(record.errorKind);
  to.word(record.format);
  to.word(client);
  to.text(record.requestId);
  to.text(record.traceId);
  to.text(record.traceparent);
  to.text(record.parentRequestId);
  to.text(record.error);
  to.text(record.answer);
  to.text(meta);
  to.text(attribution);
  to.text(given);
  to.number(typeof args === 'string' ? 1 : 0);
  to.number(record.ok ? 1 : 0);
  to.number(record.arrived);
  to.number(record.began);
  to.number(record.sent);
  to.number(record.answered);
  to.number(record.ended);
  to.number(record.toldAt);
  to.number(record.originalBytes);
  to.number(record.returnedBytes);
  to.number(record.toolMs ?? Number.NaN);
  to.number(record.answerBytes ?? Number.NaN);
  packHeaders(record.headers, to);
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

function packHeaders(headers: IncomingHttpHeaders, to: TapeWriter): void {
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    to.word(name);
    to.text(Array.isArray(value) ? value.join(', ') : value);
  }
  to.word(undefined);
}

/** The records of a tape, in their order. */
export function* unpackRecords(tape: Tape): Generator<CallRecord> {
  const from = new TapeReader(tape);
  while (!from.done) yield recordIn(from);
}

/** Members are read in the order in which they are written. */
function recordIn(from: TapeReader): CallRecord {
  return {
    transport: from.word() as CallRecord['transport'],
    operation: from.word() as CallRecord['operation'],
    route: from.word() as CallRecord['route'],
    slug: from.word() ?? '',
    tool: from.word() ?? '',
    skill: from.word() ?? null,
    dccType: from.word(),
    instanceId: from.word(),
    sessionId: from.word(),
    peer: from.word(),
    errorKind: from.word(),
    format: from.word() as CallRecord['format'],
    client: read(from.word()) as Json | undefined,
    requestId: from.text() ?? '',
    traceId: from.text() ?? '',
    traceparent: from.text() ?? '',
    parentRequestId: from.text(),
    error: from.text(),
    answer: from.text(),
    meta: (read(from.text()) ?? {}) as Json,
    attribution: read(from.text()) as Attribution | undefined,
    args: argsOf(from.text(), from.number() === 1),
    ok: from.number() === 1,
    arrived: from.number(),
    began: from.number(),
    sent: from.number(),
    answered: from.number(),
    ended: from.number(),
    toldAt: from.number(),
    originalBytes: from.number(),
    returnedBytes: from.number(),
    toolMs: there(from.number()),
    answerBytes: there(from.number()),
    headers: headersIn(from),
  };
}

const read = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
const there = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** Small ones without secrets are shown as they are: as JSON, which need not be read. */
function argsOf(text: string | undefined, shown: boolean): unknown {
  return shown || text === undefined || !mayHoldSecret(text) ? text : JSON.parse(text);
}

function headersIn(from: TapeReader): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (let name = from.word(); name !== undefined; name = from.word()) headers[name] = from.text();
  return headers;
}
