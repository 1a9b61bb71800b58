/** What other plugins may use of the gateway's operations: find, describe, load and call tools of every instance. */
import type { RpcSession } from '../../kernel/index.ts';
import type { CallAnswer } from '../rest/api.ts';
import type { Abortable } from './backends/api.ts';

export type { CallAnswer } from '../rest/api.ts';

export type Json = Record<string, unknown>;

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

/** All operations throw errors of the table; `failure` makes the envelope of one. */
export interface GatewayService {
  search(body: Json, caller: Caller): Promise<Json>;
  /** Tools, skills or both, as the MCP tool `search` answers. */
  discover(body: Json, caller: Caller): Promise<Json>;
  describe(body: Json, caller: Caller): Promise<Json>;
  loadSkill(body: Json, caller: Caller): Promise<Json>;
  unloadSkill(body: Json, caller: Caller): Promise<Json>;
  /** Its text is the instance's own CallToolResult, `_meta.dcc` added. */
  call(body: Json, caller: Caller): Promise<CallAnswer>;
  callBatch(body: Json, caller: Caller): Promise<Json>;
  /** Loaded capabilities of the live instances. */
  skills(): Json;
  readonly indexGeneration: string;
  failure(error: unknown): Failure;
}

declare module 'fastify' {
  interface FastifyInstance {
    gateway: GatewayService;
  }
}
