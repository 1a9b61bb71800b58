/**
 * A call through the gateway as it is kept until somebody wants its rows: one flat object with no more than a bounded
 * part of its payloads and nothing of its request and its session. Made while the call waits, and hundreds of them are
 * kept while others come and go, so it must be cheap and small. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Attribution, attributionHeaders, attributionOf, type Origin } from './attribution.ts';
import { isSmall, paramsText } from './params-text.ts';

/** Characters of an answer that are kept; a shorter one is also measured in the encoding that it did not go out in. */
const keptAnswer = 8192;
const longestError = 2000;
const rowHeaders: ReadonlySet<string> = new Set([...attributionHeaders, 'traceparent', 'tracestate']);

/** The size of an answer as JSON, and as it goes out; 0 where it goes as it is. */
interface Bytes {
  original_bytes: number;
  returned_bytes: number;
}

/** How the answer went out: noted by the door, after the record is made. */
export interface Told {
  /** Moment; 0 before. */
  toldAt: number;
  format: 'json' | 'toon' | undefined;
  originalBytes: number;
  returnedBytes: number;
}

/** What of a call is known when it ends. Moments are of `performance.now()`; 0 where the call did not come so far. */
export interface EndedCall extends Origin {
  /** What the gateway was asked to do itself; undefined for a call of a tool. */
  readonly operation: 'search' | 'describe' | undefined;
  /** The door over REST, where it is one of its own. */
  readonly route: 'load_skill' | 'unload_skill' | undefined;
  readonly slug: string;
  readonly tool: string;
  readonly skill: string | null;
  readonly dccType: string | undefined;
  readonly instanceId: string | undefined;
  readonly requestId: string;
  readonly traceId: string;
  readonly sessionId: string | undefined;
  /** W3C form, with the gateway's span: the parent of what the instance does. */
  readonly traceparent: string;
  /** Id of the request whose batch it is part of. */
  readonly parentRequestId: string | undefined;
  readonly ok: boolean;
  readonly errorKind: string | undefined;
  readonly error: string | undefined;
  /** The request was there, the gateway began, the instance was asked, it had answered, the gateway was done. */
  readonly arrived: number;
  readonly began: number;
  readonly sent: number;
  readonly answered: number;
  readonly ended: number;
  /** How long the tool ran at its instance, in ms; undefined where that does not say so. */
  readonly toolMs: number | undefined;
  /** Arguments: small ones as they are, others as short text. */
  readonly args: unknown;
  /** The result as JSON text. */
  readonly answer: string | undefined;
}

export interface CallRecord extends EndedCall, Told {
  /** Bytes of the whole answer, where only a part of it is kept. */
  readonly answerBytes: number | undefined;
  /** Made at once where the `_meta` is large, which is then not kept. */
  readonly attribution: Attribution | undefined;
}

export function callRecord(call: EndedCall): CallRecord {
  const { headers, meta, args, answer, error } = call;
  const small = isSmall(meta);
  const whole = answer === undefined || answer.length <= keptAnswer;
  // Members one by one: of objects that are spread V8 makes each, and this is done for every call.
  return {
    transport: call.transport,
    headers: rowHeadersOf(headers),
    peer: call.peer,
    client: call.client,
    meta: small ? meta : {},
    operation: call.operation,
    route: call.route,
    slug: call.slug,
    tool: call.tool,
    skill: call.skill,
    dccType: call.dccType,
    instanceId: call.instanceId,
    requestId: call.requestId,
    traceId: call.traceId,
    sessionId: call.sessionId,
    traceparent: call.traceparent,
    parentRequestId: call.parentRequestId,
    ok: call.ok,
    errorKind: call.errorKind,
    error: error === undefined ? undefined : error.slice(0, longestError),
    arrived: call.arrived,
    began: call.began,
    sent: call.sent,
    answered: call.answered,
    ended: call.ended,
    toolMs: call.toolMs,
    args: isSmall(args) ? args : paramsText(args),
    // A copy: a part of a text keeps the whole of it alive.
    answer: whole ? answer : Buffer.from(answer.slice(0, keptAnswer)).toString(),
    answerBytes: whole ? undefined : Buffer.byteLength(answer),
    attribution: small ? undefined : attributionOf(call),
    toldAt: 0,
    format: undefined,
    originalBytes: 0,
    returnedBytes: 0,
  };
}

/** Of the headers only what rows are made of. */
function rowHeadersOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) if (rowHeaders.has(name)) kept[name] = headers[name];
  return kept;
}

/** Notes how an answer goes out, which is now. */
export function note(told: Told, format: 'json' | 'toon', bytes?: Bytes): void {
  told.toldAt = performance.now();
  told.format = format;
  if (!bytes) return;
  told.originalBytes = bytes.original_bytes;
  told.returnedBytes = bytes.returned_bytes;
}
