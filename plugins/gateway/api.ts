/** What other plugins may use of the gateway's operations: find, describe, load and call tools of every instance. */
import type { RpcSession } from '../../kernel/index.ts';
import type { Abortable } from './backends/api.ts';

export type Json = Record<string, unknown>;
export type ResponseFormat = 'json' | 'toon';

/** Who asks. */
export interface Caller {
  readonly requestId: string;
  readonly traceId: string;
  /** The MCP session; REST callers have none. */
  readonly session?: RpcSession | undefined;
  /** Aborted when the client has gone or cancelled; made on first use. */
  readonly signal?: Abortable | undefined;
  /** Hears what the instance reports while the call runs. */
  notify?(method: string, params: Json): void;
}

/** The nested error object and its HTTP status (CONTRACT 3.3). */
export interface Failure {
  status: number;
  kind: string;
  retry_after_secs: number | undefined;
  error: Json;
}

/** The answer of one call: JSON text of the instance's own CallToolResult, `_meta.dcc` added. */
export interface CallAnswer {
  readonly text: string;
  /** Whether the tool reported a failure. */
  readonly failed: boolean;
}

/** What the JSON form and the form sent cost; tokens are estimated from UTF-8 bytes. */
export interface TokenAccounting {
  estimator: string;
  original_bytes: number;
  returned_bytes: number;
  original_tokens: number;
  returned_tokens: number;
  saved_tokens: number;
  /** With two decimals. */
  savings_pct: string;
}

/** An answer as it goes out. */
export interface Encoded {
  readonly text: string;
  readonly contentType: string;
  readonly format: ResponseFormat;
  readonly accounting: TokenAccounting;
}

/** Which compact form an answer has. */
export type Compaction = 'search' | 'describe' | 'batch' | 'none';

/** All operations throw errors of the table; `failure` makes the envelope of one. */
export interface GatewayService {
  search(body: Json, caller: Caller): Promise<Json>;
  /** Tools, skills or both, as the MCP tool `search` answers. */
  discover(body: Json, caller: Caller): Promise<Json>;
  describe(body: Json, caller: Caller): Promise<Json>;
  loadSkill(body: Json, caller: Caller): Promise<Json>;
  unloadSkill(body: Json, caller: Caller): Promise<Json>;
  call(body: Json, caller: Caller): Promise<CallAnswer>;
  callBatch(body: Json, caller: Caller): Promise<Json>;
  /** Loaded capabilities of the live instances. */
  skills(): Json;
  readonly indexGeneration: string;
  failure(error: unknown): Failure;
  chooseFormat(body: unknown, accept: string | undefined): ResponseFormat;
  /** A value, or JSON text that is taken as it is. */
  encode(source: { value: unknown } | { json: string }, format: ResponseFormat, compaction: Compaction): Encoded;
}

declare module 'fastify' {
  interface FastifyInstance {
    gateway: GatewayService;
  }
}
