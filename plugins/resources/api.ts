/** What other plugins and the host may use of resources. */
import type { FastifyInstance } from 'fastify';
import type { Disposer } from '../../kernel/index.ts';
import type { RouteTools } from '../rest/api.ts';

/** A listed resource (specification: Resource record). */
export interface ResourceRecord {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** Bytes, when known. */
  size?: number;
  /** What MCP has no field for, such as the sidecar of an artefact. */
  _meta?: Record<string, unknown>;
}

export interface ResourceTemplate {
  /** RFC 6570 level 1, for example `events://session/{session_id}`. */
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/** One item of a read result: text, or base64 bytes. */
export type ResourceContents =
  | { uri: string; mimeType?: string; text: string }
  | { uri: string; mimeType?: string; blob: string };

export interface ReadContext {
  /** Aborted on cancel and at `request_timeout_ms`. */
  readonly signal: AbortSignal;
}

/**
 * Serves one URI scheme. `read` resolves with contents, or undefined for a URI it does not know;
 * an error of the table passes through, anything else becomes "producer failed" (-32603).
 */
export interface ResourceProducer {
  /** Lower-case scheme without `://`; `*` serves every scheme that no other producer has. */
  readonly scheme: string;
  list(): readonly ResourceRecord[] | Promise<readonly ResourceRecord[]>;
  read(
    uri: string,
    context: ReadContext,
  ): readonly ResourceContents[] | undefined | Promise<readonly ResourceContents[] | undefined>;
  /**
   * Whether there is such a resource, for who wants to follow it: where a read does more than look, or costs much. Without
   * it the resource is read.
   */
  knows?(uri: string): boolean | Promise<boolean>;
  templates?(): readonly ResourceTemplate[] | Promise<readonly ResourceTemplate[]>;
  /** Values for a template variable, for completion/complete. */
  complete?(uriTemplate: string, variable: string, value: string): readonly string[] | Promise<readonly string[]>;
  /**
   * Called when the first client begins to follow `uri`, for a producer that must ask elsewhere to hear of its changes;
   * what it returns is called when the last one has left. A rejection refuses the subscription.
   */
  follow?(uri: string): Disposer | Promise<Disposer>;
  /**
   * Called for each client that begins to follow `uri`, when `follow` is done: throws to refuse that one. What it returns
   * is called when the client has left.
   */
  admit?(uri: string, follower: object): Disposer;
  /** Its URIs need not have a path: `urn:isbn:0451450523` and the like reach it too. */
  readonly opaque?: true;
  /** Its MCP subscribers are never told of a change, they poll (the specification's table of built-in resources). */
  readonly polled?: true;
  /** False hides the scheme and makes every read SVC_RESOURCES_UNAVAILABLE (-32002). Absent means enabled. */
  enabled?(): boolean;
  /** Why it is not enabled; default: it is switched off. */
  disabledReason?(): string;
}

export interface ResourcesService {
  /** Largest content of one read. */
  readonly maxBytes: number;
  /** Adds a producer; a scheme that is taken throws. */
  addProducer(producer: ResourceProducer): Disposer;
  /** Lists and reads wait for `work`, which must not: it is about to change what there is. */
  hold(work: Promise<unknown>): void;
  /** Every listed record, schemes in the order they were added. */
  list(): Promise<ResourceRecord[]>;
  templates(): Promise<ResourceTemplate[]>;
  /** Reads one URI; rejects with SVC_RESOURCES_*. */
  read(uri: string, signal?: AbortSignal): Promise<readonly ResourceContents[]>;
  /** Throws for a URI that is malformed, or whose scheme is unknown or off; whether it can be read is not asked. */
  check(uri: string): void;
  /**
   * Tells subscribers of `uri`, whatever query they follow it with, that it changed: coalesced per URI and session,
   * best effort.
   */
  updated(uri: string): void;
  /**
   * Tells who listens to `uri`, whatever the query, that it is gone, and its MCP subscribers that it changed, unless it
   * is `polled`. That of a scheme whose producer goes is told anyway.
   */
  removed(uri: string): void;
  /** MCP sessions that follow anything. */
  readonly followingSessions: number;
  listChanged(): void;
  /** Calls `listener` for every update of `uri`, which may carry a query, and when it is gone (REST streams). */
  onUpdated(uri: string, listener: (event: { type: 'updated' | 'removed'; uri: string }) => void): Disposer;
  /** Adds `GET /resources`, `/resources/{uri}` and `/resources/{uri}/events` under the prefix of `routes`. */
  mountRoutes(routes: FastifyInstance, tools: RouteTools): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    resources: ResourcesService;
  }
}
