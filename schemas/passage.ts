/**
 * How a call went through the gateway, for who keeps it or counts it: beside the plain attributes of its events, as the
 * arguments are, under a key that never leaves the process. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './loose.ts';

/** Key of a `Passage` in the attributes of `tool.completed` and `tool.failed` of a gateway. */
export const callPassage = Symbol.for('svc.tool.passage');

/** Where a call came from: what attribution is read from when somebody asks. */
export interface Origin {
  readonly transport: 'mcp' | 'rest';
  readonly headers: IncomingHttpHeaders;
  /** Address at the other end. */
  readonly peer: string | undefined;
  /** What an MCP client says that it is. */
  readonly client: Readonly<Json> | undefined;
  /** `_meta` of the call. */
  readonly meta: Readonly<Json>;
}

/** One call through the gateway. Moments are of `performance.now()`; 0 where the call did not come so far. */
export interface Passage {
  readonly origin: Origin;
  /** W3C form, with the gateway's span: the parent of what the instance does. */
  readonly traceparent: string;
  /** Id of the request whose batch it is part of. */
  readonly parentRequestId: string | undefined;
  /** The request was there, the gateway began, the instance was asked, it had answered, the gateway was done. */
  readonly arrived: number;
  readonly began: number;
  readonly sent: number;
  readonly answered: number;
  readonly ended: number;
  /** How long the tool ran at its instance, in ms; undefined where that does not say so. */
  readonly toolMs: number | undefined;
  /** The result, as JSON text; there while the event is told, gone afterwards: it may be large. */
  answer: string | undefined;
  /** Filled in by the door when the answer goes out, after the event. */
  readonly told: Told;
}

/** The size of an answer as JSON, and as it goes out; 0 where it goes as it is. */
interface Bytes {
  original_bytes: number;
  returned_bytes: number;
}

/** How the answer went out. */
export interface Told extends Bytes {
  at: number;
  format: 'json' | 'toon' | undefined;
}

/** Notes how an answer goes out, which is now. */
export function note(told: Told, format: 'json' | 'toon', bytes?: Bytes): void {
  told.at = performance.now();
  told.format = format;
  if (!bytes) return;
  told.original_bytes = bytes.original_bytes;
  told.returned_bytes = bytes.returned_bytes;
}

/** Asks an instance to say how long a tool ran, and says it: a member of the result that only a gateway gets. */
const durationKey = 'svc/duration_ms';
const durationTail = /,"svc\/duration_ms":(\d+(?:\.\d+)?)\}$/;
/** More than the mark and a number take. */
const tailLength = 48;

/** JSON text of a result that says how long its tool ran. */
export const withDuration = (result: string, ms: number): string =>
  result.endsWith('}') && result.length > 2 ? `${result.slice(0, -1)},"${durationKey}":${ms.toFixed(3)}}` : result;

/** How long the tool of a result ran, where that is read already. */
export function durationIn(result: Readonly<Json>): number | undefined {
  const { [durationKey]: ms } = result;
  return typeof ms === 'number' ? ms : undefined;
}

/** The result as it was, and how long its tool ran. */
export function withoutDuration(result: string): { json: string; toolMs: number | undefined } {
  const found = durationTail.exec(result.slice(-tailLength));
  if (!found) return { json: result, toolMs: undefined };
  return { json: `${result.slice(0, -found[0].length)}}`, toolMs: Number(found[1]) };
}
