/** One `/v1`: what a process serves there, an instance or the gateway, and what other plugins may use of it. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Told } from '../../schemas/call-record.ts';
import type { Json } from '../../schemas/loose.ts';
import type { TokenAccounting } from '../../schemas/token-accounting.ts';
import type { TraceContext } from '../../schemas/traceparent.ts';
import type { Abortable } from '../gateway/backends/api.ts';

export type ResponseFormat = 'json' | 'toon';

/** Which compact form an answer has. */
export type Compaction = 'search' | 'describe' | 'load' | 'batch' | 'failure' | 'none';

/** How an answer becomes compact. */
export interface CompactForm {
  readonly kind: Compaction;
  /** In whose words its next steps are. */
  readonly door: 'mcp' | 'rest';
  /** The request: `verbose` and `fields` ask for members of the full form. */
  readonly asked?: unknown;
}

/** Who asks. */
export interface RestCaller<Signal extends Abortable = AbortSignal> {
  readonly requestId: string;
  /** 32 hex digits. */
  readonly traceId: string;
  /** W3C form, with the span of the request. */
  readonly traceparent?: string;
  /** When the request was there, of `performance.now()`. */
  readonly arrived?: number;
  /** The HTTP request that brought it. */
  readonly http?: IncomingMessage | undefined;
  /** Of the span of the request, while somebody takes spans. */
  readonly trace?: TraceContext | undefined;
  /** The answer goes out in its compact form. */
  readonly compact?: boolean;
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: Signal;
}

/** The answer of one call, as JSON text. */
export interface CallAnswer {
  readonly text: string;
  /** Whether the tool reported a failure. */
  readonly failed: boolean;
  /** Whether the work goes on in the background, and the status says so. */
  readonly accepted?: boolean;
  /** Of the record of the call, where one is kept: the door notes there how the answer goes out. */
  readonly told?: Told | undefined;
}

/**
 * What a process does behind `/v1`; every operation takes the body as it came and throws errors of the table.
 * Declared here once: the instance has one implementation, the gateway another, and the routes know neither.
 */
export interface RestService<Caller = RestCaller> {
  search(body: Json, caller: Caller): Promise<Json>;
  describe(body: Json, caller: Caller): Promise<Json>;
  loadSkill(body: Json, caller: Caller): Promise<Json>;
  unloadSkill(body: Json, caller: Caller): Promise<Json>;
  call(body: Json, caller: Caller): Promise<CallAnswer>;
  callBatch(body: Json, caller: Caller): Promise<Json>;
  /** Tools that can be called now. */
  skills(): Json;
}

/** The prompts of a process. */
export interface RestPrompts {
  list(): Promise<readonly object[]>;
  render(name: string, args: Json, signal: AbortSignal): Promise<unknown>;
}

export interface ServerEvent {
  event?: string;
  id?: string;
  /** A text goes out as it is, anything else as JSON. */
  data: unknown;
}

/** Gives events until `signal`; `cut` ends the connection of a reader that does not read. */
export type EventSource = (signal: AbortSignal, cut: () => void) => Promise<AsyncIterable<ServerEvent>>;

/** The jobs of a process, wherever they run; `events` and `cancel` reject for one that nobody knows. */
/** Of the jobs that whoever sent the HTTP request may know of. */
export interface RestJobs {
  /** The last that were created, the newest first; `unread_instances` counts those that did not say theirs. */
  list(limit: number, http?: IncomingMessage): Promise<{ jobs: readonly object[]; unread_instances?: number }>;
  /** Ends when the job has, or with `signal`. */
  events(id: string, signal: AbortSignal, http?: IncomingMessage): Promise<AsyncIterable<ServerEvent>>;
  cancel(id: string, http?: IncomingMessage): Promise<void>;
}

/** A failure as a client sees it. */
export interface Refusal {
  status: number;
  body: Json;
  retry_after_secs?: number | undefined;
}

export type OperationName = 'search' | 'describe' | 'load_skill' | 'unload_skill' | 'call' | 'call_batch';

/** What the routes of one process are: its service, and where the two kinds of process differ by contract. */
export interface RestSide {
  service: RestService;
  prompts: RestPrompts;
  /** Title of the OpenAPI document. */
  title: string;
  /** The envelope of failures. */
  refusal(error: unknown, requestId: string): Refusal;
  /** Schemas of the answers and of a failure, for the OpenAPI document. */
  answers: Readonly<Record<OperationName | 'skills' | 'failure', object>>;
  /** For clients that name no format. */
  format: ResponseFormat;
  /** A body of a search that cannot be read takes the defaults. */
  lenientSearch?: true;
  /** The call once more, for the way past the router. */
  direct?(body: Json, caller: RestCaller<Abortable>): Promise<CallAnswer | Json>;
  /** State of the index, told with every negotiated answer. */
  indexGeneration?(): string;
  /** Adds the routes that only this side has; paths are below `/v1`. */
  add?(routes: FastifyInstance, tools: RouteTools): void;
}

/** What routes need of a request. */
export interface RouteTools {
  requestId(request: FastifyRequest, reply: FastifyReply): string;
  /** Aborted when the client goes away before it has its answer. */
  goneSignal(reply: FastifyReply): AbortSignal;
  /** Answers with events, on a route with `sse: 'only'`; what the source rejects with is the answer instead. */
  stream(reply: FastifyReply, source: EventSource): Promise<void>;
}

/** An answer as it goes out. */
export interface Encoded {
  readonly text: string;
  readonly contentType: string;
  readonly format: ResponseFormat;
  readonly accounting: TokenAccounting;
}

/** Answers as text: JSON, or TOON of the compact form. */
export interface Codec {
  /** Loads the encoder of TOON; before that nothing can be encoded so. */
  load(): Promise<void>;
  /** The format that a body, or a `_meta`, names; nothing when it names none that is known. */
  named(body: unknown): ResponseFormat | undefined;
  /** Of a read for people and pages, which is JSON unless its query or its Accept header says otherwise. */
  ofRead(query: unknown, accept: string | undefined): ResponseFormat;
  /** A value, or JSON text that is taken as it is; throws SVC_REST_ENCODING. */
  encode(source: { value: unknown } | { json: string }, format: ResponseFormat, form: CompactForm): Encoded;
  toon(value: unknown): string;
  accounting(original_bytes: number, returned_bytes: number): TokenAccounting;
}

export interface BatchDeps<Caller> {
  call(body: Json, caller: Caller): Promise<CallAnswer>;
  /** The `error` of an item whose call was refused. */
  refusal(error: unknown): unknown;
  /** What a failed result says, in one text. */
  messageOf(result: Json): string;
}

export interface RestRoutes {
  /** Mounts the routes, before the server listens. */
  mount(side: RestSide): void;
  /** Adds the routes of jobs, before the server listens. */
  jobs(jobs: RestJobs): void;
  readonly codec: Codec;
  /** Calls in order, each with its own outcome (shape:batch). */
  batch<Caller extends { signal?: Abortable | undefined }>(
    deps: BatchDeps<Caller>,
  ): (body: Json, caller: Caller) => Promise<Json>;
}

declare module 'fastify' {
  interface FastifyInstance {
    rest: RestRoutes;
  }
}
