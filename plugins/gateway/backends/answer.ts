/** Reading what an instance answers to a JSON-RPC request. */
import type { Failure } from './failure.ts';

/** The error member of an answer. */
export interface ForeignError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** One of the three; none of them for what is not answered. */
export interface Answer {
  readonly failure?: Failure;
  readonly error?: ForeignError;
  /** The result: parsed, and as text where it was asked for. */
  readonly result?: unknown;
  readonly resultJson?: string;
}

type Message = Record<string, unknown>;

/** A message of an event; nothing for what is no JSON object: a stream may carry what we do not know. */
export function parseMessage(data: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' && message !== null ? (message as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the answer to request `id` from a message; nothing when it is none. */
export function readMessage(message: unknown, id: number): Answer | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  const { id: answered, method, result, error } = message as Message;
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
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Message;
  return {
    code: Number.isSafeInteger(code) ? (code as number) : -32603,
    message: typeof message === 'string' ? message : 'an error without a message',
    data,
  };
}

/** Whether an error or a failed result says that the host process behind the instance has died. */
export function tellsOfDeath({ error, result }: Answer): boolean {
  if (error) return kindOf(error.data) === 'host-died';
  if (typeof result !== 'object' || result === null || (result as Message).isError !== true) return false;
  const { structuredContent } = result as Message;
  return kindOf(structuredContent) === 'host-died' || kindOf((structuredContent as Message)?.error) === 'host-died';
}

const kindOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as Message).kind : undefined;
