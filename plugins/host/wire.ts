/** What crosses the port for one host call, and how a handler's result becomes sendable. */
import { isSvcError } from '../../kernel/light.ts';
import { messageOf } from '../../schemas/thrown.ts';
import type { ToolText } from '../tools/api.ts';
import type { HostCall } from './api.ts';
import { hostErrors } from './errors.ts';

/** Method of the host's side of the port. */
export const runMethod = 'host.run';
/** Tells the handler of a ticket to stop, while its caller goes on waiting for its end. */
export const stopMethod = 'host.stop';

/** Runs a handler on this very thread. */
export const inPlaceQuestion = 'host.run-in-place';
/** Tells which tools have handlers now. */
export const handlersQuestion = 'host.handlers';
/** Tells the ring of waiting calls, before the first one. */
export const ringQuestion = 'host.ring';

export interface HostRing {
  memory: SharedArrayBuffer;
  sliceMs: number;
}

export type InPlaceCall = [key: number, args: Record<string, unknown>, call: HostCall];

export interface HostRequest {
  key: number;
  /** Place in the shared ring (`slots.ts`). */
  ticket: number;
  /** Milliseconds since the epoch. */
  deadline: number | undefined;
  requestId: string | number | undefined;
  meta: Readonly<Record<string, unknown>>;
  args: Record<string, unknown>;
  /** A background job: it is told to stop by `stopMethod`. */
  job: boolean;
}

/**
 * Text crosses as it is and objects as JSON text: the server splices it into its reply, so an object is stringified
 * once instead of cloned and then stringified (1.3 times cheaper from 10 KB on), and both spawn modes mean the same.
 */
export function encodeHostResult(value: unknown): unknown {
  refuseUnsendable(value);
  if (typeof value !== 'object' || value === null) return value;
  if ((value as Partial<ToolText>).svcToolText === true) return value;
  const json = stringify(value);
  if (json === undefined) return undefined;
  const kind = isContent(value) ? 'content' : json.startsWith('{') ? 'object' : 'other';
  return { svcToolText: true, json, kind, success: successOf(value) } satisfies ToolText;
}

interface Reported {
  content?: unknown;
  success?: unknown;
  isError?: unknown;
  structuredContent?: { success?: unknown } | null;
}

/** A result in MCP's own form: a list of typed blocks. */
function isContent({ content }: Reported): boolean {
  return Array.isArray(content) && content.every(each => typeof (each as { type?: unknown } | null)?.type === 'string');
}

function successOf({ success, structuredContent, isError }: Reported): boolean | undefined {
  const said = [success, structuredContent?.success].find(each => typeof each === 'boolean');
  if (typeof said === 'boolean') return said;
  return isError === true ? false : undefined;
}

/** Throws SVC_HOST_RESULT_UNSENDABLE for a value that JSON has no word for. */
export function refuseUnsendable(value: unknown): void {
  const type = typeof value;
  if (type === 'function' || type === 'symbol' || type === 'bigint') {
    throw hostErrors.RESULT_UNSENDABLE({ reason: `it is a ${type}` });
  }
}

/** What a handler threw, fit to cross: an error of the table stays itself, anything else keeps its message. */
export function encodeHostFailure(error: unknown): unknown {
  if (isSvcError(error)) return error;
  const message = messageOf(error);
  return hostErrors.HANDLER_FAILED({ message: message || 'the host handler failed without a message' }, error);
}

function stringify(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw hostErrors.RESULT_UNSENDABLE({ reason: (error as Error).message.split('\n')[0] });
  }
}
