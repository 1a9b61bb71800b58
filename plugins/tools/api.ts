/** What other plugins may use of the tool table and the call pipeline. */
import type { IncomingMessage } from 'node:http';
import type { Awaitable, Disposer, JsonSchema, RpcContext, RpcSession, SvcError } from '../../kernel/index.ts';
import type { Ask, Asking } from '../../schemas/asking.ts';
import type { LogLevel } from '../../schemas/log-levels.ts';
import type { ToolAnnotations, ToolDefinition } from '../../schemas/tool.ts';

/**
 * One call. A question to its client rejects when the client did not declare that it can be asked, cannot be reached, or
 * does not answer what was asked; the call's end takes it back.
 */
export interface ToolCall extends Asking {
  readonly tool: ToolRecord;
  readonly requestId: string | number | undefined;
  readonly session: RpcSession | undefined;
  /** `params._meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Aborted on cancel and at the deadline. Made on first use. */
  readonly signal: AbortSignal;
  /**
   * Calls `listener` with the reason when `signal` would abort, at once when it has: for hot paths, since a signal costs
   * more than a small call. The disposer takes it back. A text that it returns says what held a late call up.
   */
  onAbort(listener: (reason: unknown) => unknown): Disposer;
  /**
   * Milliseconds since the epoch at which the call is given up; undefined for a background job. It moves on by the time
   * that a question to the client is open.
   */
  readonly deadline: number | undefined;
  /** How long after the abort the handler may take to end, because somebody waits for that; 0 when nobody does. */
  readonly graceMs: number;
  /** Reports progress; sent when the caller gave a progress token, otherwise dropped. */
  progress(progress: number, total?: number, message?: string): void;
  /** A log message for the client, subject to its level. */
  log(level: LogLevel, data: unknown): void;
  /**
   * Ends the connection that waits for the answer; the client fetches the answer over another, which it opens after
   * `retryMs` (1 s). For work that outlives connections; nothing where the client cannot do that (before 2025-11-25).
   */
  closeStream(retryMs?: number): void;
  /** What a handler has to say of its result beside it: told in `_meta.dcc`. */
  aside?: Readonly<Record<string, unknown>> | undefined;
  /** The JSON-RPC request, for server-to-client requests; undefined for an internal call. */
  readonly rpc: RpcContext | undefined;
  /** The HTTP request that it came by; undefined for an internal call. */
  readonly http: IncomingMessage | undefined;
  /** Id of the background job that the call is part of. */
  readonly job: string | undefined;
  /** Whether skill or plugin code made the call. */
  readonly internal: boolean;
}

/** Returns a value, a promise of one, a `ToolText`, or throws. See `encodeToolResult` for what becomes of the value. */
export type ToolHandler = (args: Record<string, unknown>, call: ToolCall) => unknown;

export type ToolSource = 'builtin' | 'host' | 'skill' | 'internal';

/** A tool with everything defaulted, as registered. */
export interface ToolRecord {
  /** Action name as declared. */
  readonly action: string;
  /** Name that clients see now: the action, or `<skill>__<action>` on a collision. */
  readonly name: string;
  readonly source: ToolSource;
  /** Who published it: a key of `publish`. */
  readonly owner: string;
  readonly skill_name: string | undefined;
  readonly title: string | undefined;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly dcc: string;
  readonly version: string;
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
  readonly icons: readonly Record<string, unknown>[] | undefined;
  readonly group: string;
  readonly execution: 'sync' | 'async' | undefined;
  readonly affinity: 'any' | 'main';
  readonly enforce_thread_affinity: boolean;
  readonly timeout_hint_secs: number | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly handler: ToolHandler | undefined;
}

export interface ToolEntry {
  definition: ToolDefinition;
  /** Absent: visible, not executable until a handler is registered by name. */
  handler?: ToolHandler | undefined;
  /** Whether the handler has its work done on the host's main thread, although it is not the host's. */
  inHost?(): boolean;
}

export interface PublishOptions {
  source: ToolSource;
  skill_name?: string;
  /** Groups of this owner: what each is for and whether it starts active. */
  groups?: readonly ToolGroup[];
  /** The entry to take instead of one whose schema is refused; without it the whole publication is. */
  repair?(entry: ToolEntry, field: SchemaField, error: Error): ToolEntry;
}

export type SchemaField = 'input_schema' | 'output_schema';

export interface ToolGroup {
  name: string;
  description: string;
  default_active: boolean;
}

/** A placeholder in tools/list: `__skill__<name>`. (`__group__<name>` stubs are made by the tools plugin itself.) */
export interface ToolStub {
  name: string;
  description: string;
}

/** An unloaded skill that search_tools may offer. */
export interface SkillCandidate {
  skill_name: string;
  description: string;
  tags: readonly string[];
  dcc: string;
  scope: string;
  tool_count: number;
  /** What a reader should know before following its words. */
  flags?: readonly string[] | undefined;
  /** Every declared tool, for matching. */
  tools: readonly { name: string; description: string; group: string }[];
}

/** A value that a worker stringified already. */
export interface ToolText {
  /** Brand: recognised by key, since values cross module copies. */
  readonly svcToolText: true;
  /** JSON text of the returned value. */
  readonly json: string;
  /** What the value is: decides how it is wrapped. */
  /** `large`: it is more than a result may have, and `json` says how many bytes it is. */
  readonly kind: 'content' | 'object' | 'text' | 'other' | 'large';
  /** The value's `success` member, when it has one. */
  readonly success: boolean | undefined;
}

export interface CallInput {
  name: string;
  args: Record<string, unknown>;
  meta?: Record<string, unknown>;
  /** The JSON-RPC request; absent for calls from inside (skills, REST). */
  rpc?: RpcContext | undefined;
  /** The HTTP request that brought it past JSON-RPC. */
  http?: IncomingMessage | undefined;
  signal?: AbortSignal | undefined;
  /** Receives progress of an internal call. */
  onProgress?: ((progress: number, total?: number, message?: string) => void) | undefined;
  /** Receives what a background job logs once the request that it came from is answered. */
  onLog?: ((level: LogLevel, data: unknown) => void) | undefined;
  /** Lets the call reach `internal` tools; only for calls from skills and plugins. */
  internal?: boolean;
  /** Deadline in ms instead of `request_timeout_ms`; 0 means none. */
  timeoutMs?: number;
  /** How long the handler may take to end after its signal aborted; none means that the call is given up at once. */
  graceMs?: number;
  /** Id of the background job whose work makes this call. */
  job?: string | undefined;
  /** Asks whom the call is made for, where it has no request of its own. */
  ask?: Ask | undefined;
}

/** An MCP CallToolResult. */
export interface ToolResult {
  content: readonly Record<string, unknown>[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** How an admitted call is run in the background. */
export interface BackgroundRun {
  timeoutMs: number;
  signal: AbortSignal;
  onProgress: NonNullable<CallInput['onProgress']>;
  onLog: NonNullable<CallInput['onLog']>;
  /** Id of the job, for the calls that its work makes. */
  job?: string;
  /** Asks the client while the job runs; without it the request is asked while it is open, then its session. */
  ask?: Ask;
  /** How long a handler whose signal aborted may take to end before it is given up; none means at once. */
  graceMs?: number;
}

/** Takes a validated call over (background jobs); undefined lets it run in place. */
export type Admission = (
  tool: ToolRecord,
  args: Record<string, unknown>,
  call: ToolCall,
  run: (options: BackgroundRun) => Promise<ToolResult>,
) => Awaitable<ToolResult> | undefined;

/** Told of what a tool returned when its call succeeded, in place or in the background. On the hot path: must be quick. */
export type ResultObserver = (tool: ToolRecord, value: unknown) => void;

/** What an admitted call answers with, for the listed output schemas. */
export interface ReceiptForm {
  schema: JsonSchema;
  /** Whether a call of the tool may be admitted. */
  possible(tool: Pick<ToolRecord, 'source' | 'execution'>): boolean;
}

export interface ToolsService {
  readonly generation: number;
  /**
   * Publishes the tools of `owner`, replacing what it had, in one step: either all of it or none.
   * Throws SVC_TOOLS_* naming the tool when a definition, a schema or a name is refused.
   */
  publish(owner: string, entries: readonly ToolEntry[], options: PublishOptions): Disposer;
  /** By published name or by `<skill>__<action>`. */
  get(name: string): ToolRecord | undefined;
  /** Every record but internal ones, in list order, inactive groups included. */
  list(): readonly ToolRecord[];
  /** Attaches a handler by tool name; handler receives decoded arguments. Replaces an earlier one. */
  setHandler(name: string, handler: ToolHandler, source?: ToolSource): Disposer;
  hasHandler(name: string): boolean;
  /** The whole pipeline: look-up, affinity, vetoes, validation, admission, handler, encoding, events. */
  call(input: CallInput): Promise<ToolResult>;
  activateGroup(group: string, skill?: string): { changed: boolean; active_groups: string[] };
  deactivateGroup(group: string, skill?: string): { changed: boolean; active_groups: string[] };
  /** Adds a source of `__skill__` stubs; call `changed()` when it changes. */
  addStubs(source: () => readonly ToolStub[]): Disposer;
  addCandidates(source: () => readonly SkillCandidate[]): Disposer;
  setAdmission(admission: Admission, receipt?: ReceiptForm): Disposer;
  setResultObserver(observer: ResultObserver): Disposer;
  /** Calls that have begun and not ended, those of jobs included. */
  readonly inFlight: number;
  /** Calls `listener`, the only one, whenever one is in flight and none was before. */
  onWork(listener: () => void): Disposer;
  /** What a handler throws when an argument is missing that its schema cannot demand: one form for every tool. */
  missingArgument(tool: string, field: string): SvcError;
  /** Drops the cached list; tells clients unless `silent`. */
  changed(options?: { silent?: boolean }): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    tools: ToolsService;
  }
}
