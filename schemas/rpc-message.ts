/** What a message of JSON-RPC 2.0 is, as it arrives. Pure. */
import { isObject } from './loose.ts';

export type RpcId = string | number | null;

/** Why a value is not a request or notification; nothing when it is one. */
export function requestProblem(message: unknown): string | undefined {
  if (!isObject(message)) return 'a message must be an object';
  const { jsonrpc, method, params, id } = message;
  if (jsonrpc !== '2.0') return '"jsonrpc" must be "2.0"';
  if (typeof method !== 'string' || method === '') return '"method" must be a non-empty string';
  // Absent and null are the same: serialisers of typed languages write what is not there as null.
  if (params !== undefined && (typeof params !== 'object' || Array.isArray(params))) {
    return '"params" must be an object';
  }
  // Beyond 2^53 a number was rounded when it was read: its answer would come back under another id.
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) {
    return '"id" must be a string or a whole number up to 2^53 - 1';
  }
  return undefined;
}

/** The id of a message for its answer: null when it has no usable one. */
export function idOf(message: unknown): RpcId {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : undefined;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
}
