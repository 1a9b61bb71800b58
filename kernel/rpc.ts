/** JSON-RPC 2.0 router: methods, notifications, batches. It knows no transport: messages come parsed, replies go encoded. */

import { isPromise } from '../schemas/awaitable.ts';
import { type Codec, codecOf, type Era, plain } from '../schemas/error-rows.ts';
import { idOf, type RpcId, requestProblem } from '../schemas/rpc-message.ts';
import { encodeResult, type Reply } from '../schemas/rpc-reply.ts';
import { rpcErrors, toRpcError, toSvcError } from './errors.ts';
import type { Disposer, Scope } from './scope.ts';

/** What a client said of itself, in its session or with a request, and the way to ask it. */
export interface RpcClient {
  readonly protocolVersion: string;
  readonly clientInfo: Readonly<Record<string, unknown>>;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** Rejects what it has not declared. Without a session the question would like to be `key`. `signal` takes it back. */
  request(method: string, params: object, timeoutMs: number, key?: string, signal?: AbortSignal): Promise<unknown>;
}

/** The client session that a request belongs to, as far as any feature may know it. It asks on its standing stream. */
export interface RpcSession extends RpcClient {
  readonly id: string;
  /** Disposed when the session ends: features keep what belongs to the session here. */
  readonly scope: Scope;
}

/** What a method handler knows of its request beside the params. */
export interface RpcContext extends RpcClient {
  readonly era: Era;
  readonly requestId: string | number | undefined;
  readonly session: RpcSession | undefined;
  /** Aborted when the client cancels. Made on first use. */
  readonly signal: AbortSignal;
  /** Calls `listener` when the client cancels: what `signal` tells, without the cost of one. */
  onCancel(listener: () => void): void;
  /** Sends a notification on this request's own stream; dropped when the client takes none. */
  notify(method: string, params: Record<string, unknown>): void;
  /** Ends the connection of this request's stream: the client comes back for the rest after `retryMs`. Not everywhere. */
  closeStream?(retryMs: number): void;
}

/** Gives a value, a RawJson, a RawBytes or a promise of one, or throws. */
export type RpcHandler = ((params: Record<string, unknown>, context: RpcContext) => unknown) & {
  /** The result that a request answers with when this threw; nothing to answer with the error. */
  recovered?: (error: unknown, context: RpcContext) => unknown;
};

export type Rpc = ReturnType<typeof createRpc>;

export function createRpc(onFailure: (method: string, error: unknown) => void) {
  const [methods, notifications] = [new Map<string, RpcHandler>(), new Map<string, RpcHandler>()];

  const add = (table: Map<string, RpcHandler>, name: string, handler: RpcHandler): Disposer => {
    if (table.has(name)) throw new Error(`JSON-RPC method "${name}" is registered twice`);
    table.set(name, handler);
    return () => void table.delete(name);
  };

  const notified = async (handler: RpcHandler, name: string, params: Record<string, unknown>, context: RpcContext) => {
    try {
      await handler(params, context);
    } catch (error) {
      onFailure(name, error);
    }
  };

  const encodeFailure = (id: RpcId, method: string, error: unknown, context: RpcContext): Reply => {
    const recovered = methods.get(method)?.recovered?.(error, context);
    if (recovered !== undefined) return encodeResult(id, recovered);
    // What the caller can mend is no failure of ours.
    const { row } = toSvcError(error);
    if (row.rpc === -32603 && row.http >= 500) onFailure(method, error);
    return encodeError(id, error, codecOf(context.protocolVersion));
  };

  return {
    method: (name: string, handler: RpcHandler): Disposer => add(methods, name, handler),
    notification: (name: string, handler: RpcHandler): Disposer => add(notifications, name, handler),
    has: (name: string): boolean => methods.has(name),
    /** Handles one request or notification; undefined when nothing is to be answered. Never throws, never rejects. */
    dispatch(message: unknown, context: RpcContext): Reply | undefined | Promise<Reply | undefined> {
      const problem = requestProblem(message);
      if (problem) return encodeError(idOf(message), rpcErrors.INVALID_REQUEST({ reason: problem }), context.era);
      const { id, method, params } = message as { id?: RpcId; method: string; params?: Record<string, unknown> | null };
      if (id === undefined) {
        const handler = notifications.get(method);
        if (handler) void notified(handler, method, params ?? {}, context);
        return undefined;
      }
      const handler = methods.get(method);
      if (!handler) return encodeError(id, rpcErrors.METHOD_NOT_FOUND({ method: method.slice(0, 200) }), context.era);
      try {
        const result = handler(params ?? {}, context);
        if (!isPromise(result)) return encodeResult(id, result);
        return Promise.resolve(result)
          .then(value => encodeResult(id, value))
          .catch((error: unknown) => encodeFailure(id, method, error, context));
      } catch (error) {
        return encodeFailure(id, method, error, context);
      }
    },
  };
}

/** `id` undefined leaves it out. */
export function encodeError(id: RpcId | undefined, error: unknown, codec: Codec): string {
  const { data, ...rest } = toRpcError(error, codec);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { ...rest, data: { ...plain(data), code: data.code } } });
}
