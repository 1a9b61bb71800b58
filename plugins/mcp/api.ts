/** What other plugins may use of the MCP endpoint. */
import type { IncomingMessage } from 'node:http';
import type { Disposer, JsonSchema, RpcContext, RpcSession, Scope } from '../../kernel/index.ts';
import type { SessionRecord } from './sessions/store.ts';

export type { SessionRecord };

export interface CompletionRequest {
  ref: Readonly<Record<string, unknown>>;
  argument: { name: string; value: string };
  /** Arguments chosen already (revision 2025-06-18). */
  context: Readonly<Record<string, string>>;
}

/** Values for an argument, or undefined when the reference is not this provider's. */
export type CompletionProvider = (
  request: CompletionRequest,
  context: RpcContext,
) => readonly string[] | undefined | Promise<readonly string[] | undefined>;

/** A stream of `subscriptions/listen`. */
export interface Listener {
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** The request that opened it. */
  readonly http: IncomingMessage;
  /** Disposed when the stream ends: what was begun for it is ended here. */
  readonly scope: Scope;
  /** Sends a notification, never before the acknowledgement; false when the client is gone. */
  send(method: string, params?: Readonly<Record<string, unknown>>): boolean;
}

/** Begins to tell `listener` of what it wants; gives the part that is honoured, as it is acknowledged, or undefined. */
export type ListenSource = (wanted: unknown, listener: Listener) => unknown;

export interface McpService {
  /** What event streams of the server are held to: how many, and unread bytes of each. */
  readonly streams: { readonly limit: number; readonly maxBytes: number };
  readonly sessions: {
    readonly size: number;
    get(id: string): RpcSession | undefined;
    list(): RpcSession[];
    /** What another process needs to go on with sessions; not those that a room keeps something for, which is here. */
    handOn(): SessionRecord[];
    /** Goes on with sessions that another process handed on. */
    adopt(records: readonly SessionRecord[]): Promise<void>;
  };
  /** Adds a member to `capabilities` of every later initialize answer. */
  capability(name: string, value: Record<string, unknown>): Disposer;
  /** Adds an entry to `capabilities.extensions` of server/discover: an extension of MCP that sessionless clients may use. */
  extension(name: string, settings: Record<string, unknown>): Disposer;
  /** Replaces the instructions of every later initialize answer. */
  instruct(text: string): Disposer;
  /** Opens every later standing stream with an event `name` that says `data`, before any message. */
  greet(name: string, data: string): Disposer;
  /** Serves a member of the filter of `subscriptions/listen`, beside the changes of the lists, which `broadcast` tells. */
  listen(member: string, source: ListenSource): Disposer;
  /** Says where the input schema of a tool is found, for the headers that repeat arguments (`x-mcp-header`). */
  toolSchemas(find: (tool: string) => JsonSchema | undefined): Disposer;
  /** Sends a notification to every session's standing stream, and to the `subscriptions/listen` streams that want it. */
  broadcast(method: string, params?: Record<string, unknown>): void;
  /** Sends a notification to one session's standing stream; false when it was dropped. */
  notify(sessionId: string, method: string, params?: Record<string, unknown>): boolean;
  /** Sends a notification to the standing streams of some sessions; serialised once, in slices, never waits. */
  multicast(sessionIds: Iterable<string>, method: string, params?: Record<string, unknown>): void;
  /** Says what is to be said before the streams end with the server: calls in flight have ended by then, or had their time. */
  lastWords(say: () => Promise<void>): Disposer;
  /** Answers completion/complete for references of `type` (`ref/prompt`, `ref/resource`). */
  completion(type: string, provider: CompletionProvider): Disposer;
}

declare module '../../kernel/rpc.ts' {
  interface RpcContext {
    /** The HTTP request that brought it. */
    readonly http?: IncomingMessage | undefined;
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    mcp: McpService;
  }
}
