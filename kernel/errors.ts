/**
 * The error table. Every error that a caller can see is a row: code, JSON-RPC number, HTTP status, REST kind, template.
 * `toRpcError` and `toHttpError` are the only places that turn an error into a payload.
 */

import { type Codec, type ErrorRow, filled, kindOf, numberOf, plain } from '../schemas/error-rows.ts';
import { messageOf } from '../schemas/thrown.ts';

export type ErrorDetails = Record<string, unknown>;

/** An error of the table. Recognise it by `code`, never by class: two copies of this module may exist in a process. */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  readonly code: string;
  readonly row: ErrorRow;
  readonly details: ErrorDetails;

  constructor(code: string, row: ErrorRow, details: ErrorDetails = {}, cause?: unknown, message?: string) {
    super(message ?? filled(row.template, details), cause === undefined ? undefined : { cause });
    this.code = code;
    this.row = row;
    this.details = details;
  }
}

/** True for any error of the table, whichever copy of this module made it. */
export function isSvcError(error: unknown): error is SvcError {
  const { code, row } = (error ?? {}) as Partial<SvcError>;
  return error instanceof Error && typeof code === 'string' && row !== undefined;
}

const table = new Map<string, ErrorRow>();

/** Every row of the table by code. */
export const errorTable: ReadonlyMap<string, ErrorRow> = table;

type Factories<R> = { readonly [K in keyof R]: (details?: ErrorDetails, cause?: unknown) => SvcError };

/** Adds rows as `<prefix>_<KEY>` and returns one factory per row. A code declared twice is a programming error. */
export function defineErrors<const R extends Record<string, ErrorRow>>(prefix: string, rows: R): Factories<R> {
  const factories: Record<string, (details?: ErrorDetails, cause?: unknown) => SvcError> = {};
  for (const [key, row] of Object.entries(rows)) {
    const code = row.bare ? key : `${prefix}_${key}`;
    if (table.has(code)) throw new Error(`error code ${code} is declared twice`);
    table.set(code, row);
    factories[key] = (details, cause) => new SvcError(code, row, details, cause);
  }
  return factories as Factories<R>;
}

/** Rows of the protocol itself and of the kernel. */
export const rpcErrors = defineErrors('SVC_RPC', {
  PARSE: { rpc: -32700, http: 400, template: 'Parse error: {reason}' },
  INVALID_REQUEST: { rpc: -32600, http: 400, template: 'Invalid request: {reason}' },
  METHOD_NOT_FOUND: { rpc: -32601, http: 404, template: 'Method not found: {method}' },
  INVALID_PARAMS: { rpc: -32602, http: 400, kind: 'invalid-params', template: 'Invalid params: {reason}' },
  INTERNAL: { rpc: -32603, http: 500, kind: 'internal', template: 'Internal error: {reason}' },
  CANCELLED: { rpc: -32603, http: 499, template: 'Request cancelled: {reason}' },
  TIMEOUT: { rpc: -32603, http: 504, template: '{what} did not answer within {timeout_ms} ms' },
});

export const kernelErrors = defineErrors('SVC_KERNEL', {
  DUPLICATE: { rpc: null, http: 409, template: '{kind} "{name}" is registered already: choose another name' },
  CONFIG_INVALID: { rpc: null, http: 400, template: 'Invalid configuration ({source}): {reason}' },
  SETTING_CONFLICT: {
    ...{ rpc: null, http: 400 },
    template: 'The setting "{option}" is defined by {one} and, differently, by {other}: rename one of them',
  },
  PORT_CLOSED: { rpc: -32603, http: 503, template: 'The other thread is gone: {reason}' },
  EVENT_VETOED: {
    ...{ rpc: -32002, http: 403, kind: 'policy-denied', bare: true },
    template: '{event} was vetoed: {veto_reason}',
  },
});

/** Any thrown value as an error of the table; what is not one becomes SVC_RPC_INTERNAL with the original as cause. */
export function toSvcError(error: unknown): SvcError {
  if (isSvcError(error)) return error;
  return rpcErrors.INTERNAL({ reason: messageOf(error) }, error);
}

/** The JSON-RPC error object: `data.code` is the row's code, the details stand beside it. */
export function toRpcError(error: unknown, codec: Codec = 'specification') {
  const known = toSvcError(error);
  return { code: numberOf(known.row, codec), message: known.message, data: { ...known.details, code: known.code } };
}

/** HTTP status and flat REST body. */
export function toHttpError(error: unknown) {
  const known = toSvcError(error);
  return {
    status: known.row.http,
    body: { kind: kindOf(known.code, known.row), message: known.message, code: known.code, context: known.details },
  };
}

/** Rebuilds an error that `sendableError` made ready to cross a thread; what is not one becomes SVC_RPC_INTERNAL. */
export function reviveError(sent: unknown): SvcError {
  const { code, message, details, row } = (sent ?? {}) as Partial<SvcError>;
  if (typeof code !== 'string' || typeof message !== 'string') {
    return rpcErrors.INTERNAL({ reason: 'the other side sent an error that cannot be read' });
  }
  const known = table.get(code) ?? row ?? { rpc: -32603, http: 500, template: message };
  return new SvcError(code, known, details ?? {}, undefined, message);
}

/** What crosses a thread in place of an error: with its row, for the plugin that has it may not be loaded there. */
export function sendableError(error: unknown) {
  const { code, message, details, row } = toSvcError(error);
  return { code, message, details: plain(details), row };
}
