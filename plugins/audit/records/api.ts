/** What other plugins may use of the records of calls through the gateway (shape:audit-rows). */
import type { Disposer } from '../../../kernel/index.ts';
import type { Attribution, LlmUsage } from '../../../schemas/attribution.ts';
import type { Json } from '../../../schemas/loose.ts';
import type { Payload } from '../../../schemas/payload.ts';
import type { TokenAccounting } from '../../../schemas/token-accounting.ts';

/** What an answer costs in either encoding; which one went out stands in `response_format`. */
export type CallTokens = TokenAccounting & {
  response_format?: 'json' | 'toon';
  json?: { bytes: number; tokens: number };
  /** Absent where an answer that went out as JSON was large, or came with so many others that there was no time to measure it. */
  toon?: { bytes: number; tokens: number };
};

/** A row of `audit.jsonl`. */
export type AuditRow = Attribution & {
  /** RFC 3339. */
  timestamp: string;
  request_id: string;
  trace_id: string;
  span_id?: string;
  parent_span_id?: string;
  method: string;
  instance_id?: string;
  session_id?: string;
  transport?: string;
  /** The slug that was called, or the operation. */
  action: string;
  /** Of the gateway itself, such as a search; absent for a call of a tool. */
  operation?: 'search' | 'describe';
  dcc_type?: string;
  /** That the tool is of. */
  skill_name?: string;
  success: boolean;
  /** Without secrets. */
  error?: string;
  error_kind?: string;
  duration_ms?: number;
  token_accounting?: CallTokens;
};

export type TraceSpan = {
  span_id: string;
  parent_span_id?: string;
  /** `client`, `gateway`, `adapter` or `skill`. */
  name: string;
  /** Nanoseconds since the epoch. */
  started_ns: number;
  duration_ns: number;
  ok: boolean;
  attributes: Record<string, string | number | boolean>;
};

/** A row of `traces.jsonl`. */
export type TraceRow = {
  request_id: string;
  trace_id: string;
  span_id?: string;
  parent_span_id?: string;
  parent_request_id?: string;
  trace_flags?: string;
  trace_state?: string;
  method: string;
  tool_slug: string;
  operation?: AuditRow['operation'];
  skill_name?: string;
  instance_id?: string;
  session_id?: string;
  dcc_type?: string;
  transport?: string;
  agent_context?: Json;
  started_at: string;
  total_ms: number;
  ok: boolean;
  spans: TraceSpan[];
  input?: Payload;
  output?: Payload;
  error?: { kind: string; message: string };
  token_accounting?: CallTokens;
  llm_usage?: LlmUsage;
};

export interface RowQuery {
  /** Newest first, at most so many. */
  limit: number;
  /** Of the page before. */
  cursor?: string | undefined;
  /** Which rows are wanted; all of them without it, which is quicker. */
  wanted?: ((row: AuditRow | TraceRow) => boolean) | undefined;
}

export interface RowPage<Row> {
  rows: Row[];
  /** Rows that are wanted, on all pages. */
  total: number;
  next_cursor: string | undefined;
}

export interface RecordsStatus {
  /** Whether calls outlive this process. */
  durable: boolean;
  max_rows: number;
  max_bytes: number | null;
  /** Rows that could not be kept, since the start. */
  dropped: number;
  /** Lines of the files that are no rows, such as one that a crash cut off; as found at the start. */
  skipped_invalid: number;
  /** Why the last write failed; null while writing works. */
  problem: string | null;
}

/** A call that has just ended. Its row is made for who asks for it; the rest costs nothing. */
export interface FollowedCall {
  readonly ok: boolean;
  readonly duration_ms: number;
  readonly operation: AuditRow['operation'];
  row(): AuditRow;
}

export interface CallRecordsService {
  /** Hears of every call as it ends, in its turn: keep what is told and look at it later. */
  follow(hear: (call: FollowedCall) => void): Disposer;
  /** Rejects with SVC_RECORDS_CURSOR. */
  calls(query: RowQuery): Promise<RowPage<AuditRow>>;
  traces(query: RowQuery): Promise<RowPage<TraceRow>>;
  /** The slowest of all that are kept, the slowest first: one page. */
  slowest(query: Omit<RowQuery, 'cursor'>): Promise<RowPage<TraceRow>>;
  /** The newest trace of a request or of a trace id. */
  trace(id: string): Promise<TraceRow | undefined>;
  status(): RecordsStatus;
}

declare module 'fastify' {
  interface FastifyInstance {
    callRecords: CallRecordsService;
  }
}
