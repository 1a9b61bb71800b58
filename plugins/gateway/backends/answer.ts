/** Reading what an instance answers to a JSON-RPC request. */
import { isObject, type Json, objectOf, parsed } from '../../../schemas/loose.ts';
import { durationIn } from '../../../schemas/tool-duration.ts';
import type { Failure } from './failure.ts';

/** The error member of an answer. */
export interface ForeignError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  /** How long the tool ran that failed. */
  readonly toolMs?: number | undefined;
}

/** One of the three; none of them for what is not answered. */
export interface Answer {
  readonly failure?: Failure;
  readonly error?: ForeignError;
  /** The result: parsed, and as text where it was asked for. */
  readonly result?: unknown;
  readonly resultJson?: string;
}

/** A message of an event; nothing for what is no JSON object: a stream may carry what we do not know. */
export function parseMessage(data: string): Json | undefined {
  const message = parsed(data);
  return isObject(message) ? message : undefined;
}

/** Reads the answer to request `id` from a message; nothing when it is none. */
export function readMessage(message: unknown, id: number): Answer | undefined {
  if (!isObject(message)) return undefined;
  const { id: answered, method, result, error } = message;
  if (method !== undefined) return undefined;
  if (error !== undefined && (answered === id || answered === null)) return { error: readError(error) };
  if (answered !== id || result === undefined) return undefined;
  return { result };
}

/**
 * The result of the usual answer as text. What stands between the usual head and the last brace is the result exactly
 * when it is one JSON value: parsing just that proves it, and spares writing it again.
 */
export function readText(text: string, id: number): Answer | undefined {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (!text.startsWith(head) || text.charCodeAt(text.length - 1) !== 125) return undefined;
  const resultJson = text.slice(head.length, -1);
  try {
    return { result: JSON.parse(resultJson), resultJson };
  } catch {
    return undefined;
  }
}

function readError(error: unknown): ForeignError {
  const { code, message, data } = objectOf(error);
  return {
    code: Number.isSafeInteger(code) ? (code as number) : -32603,
    message: typeof message === 'string' ? message : 'an error without a message',
    data,
  };
}

/** The error in a failed tool call of our own instances: what older revisions answer with as one of JSON-RPC. */
export function errorInResult(result: unknown): ForeignError | undefined {
  if (!isObject(result) || result.isError !== true) return undefined;
  const { number, ...data } = objectOf(objectOf(objectOf(result._meta).dcc).error);
  // What the author of a tool gives has a code of his own, but neither a kind nor a number: it passes as it is.
  if (typeof data.code !== 'string' || typeof data.kind !== 'string' || number === undefined) return undefined;
  const [first] = Array.isArray(result.content) ? result.content : [];
  return { ...readError({ code: number, message: objectOf(first).text, data }), toolMs: durationIn(result) };
}

/** Whether an error or a failed result says that the host process behind the instance has died. */
export function tellsOfDeath({ error, result }: Answer): boolean {
  if (error) return isDeath(error.data);
  if (!isObject(result) || result.isError !== true) return false;
  const { structuredContent } = result;
  return isDeath(structuredContent) || isDeath(objectOf(structuredContent).error);
}

const isDeath = (value: unknown): boolean => objectOf(value).kind === 'host-died';
