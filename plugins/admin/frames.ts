/** What the stream of the admin page sends, as its server writes it and its page reads it. Types alone. */

type Json = Readonly<Record<string, unknown>>;

/** One second of calls. */
export interface Point {
  /** Milliseconds since the epoch, of its begin. */
  readonly at: number;
  readonly calls: number;
  readonly failed: number;
  /** Of the calls of this second; null without one. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly in_flight: number;
  readonly rss_bytes: number;
}

/** A call, as a list shows it. */
export interface CallRow {
  readonly request_id: string;
  readonly trace_id: string;
  readonly timestamp: string;
  readonly tool: string;
  readonly success: boolean;
  readonly duration_ms?: number;
  readonly dcc_type?: string;
  readonly instance_id?: string;
  readonly session_id?: string;
  readonly agent_id?: string;
  readonly agent_name?: string;
  readonly transport?: string;
  readonly error?: string;
  readonly error_kind?: string;
}

/** Everything that is new since the last frame; what did not change is not in it. */
export interface Frame {
  readonly at: number;
  readonly points?: readonly Point[];
  /** The newest calls; `count` are all that ended. */
  readonly calls?: { readonly count: number; readonly failed: number; readonly rows: readonly CallRow[] };
  readonly instances?: { readonly rows: readonly Json[]; readonly gone: readonly string[] };
  readonly events?: readonly Json[];
  /** The last word of each job that an instance told of. */
  readonly jobs?: readonly Json[];
  readonly logs?: readonly Json[];
  /** A search would find other tools than before. */
  readonly tools?: boolean;
  readonly traffic?: { readonly count: number; readonly rows: readonly Json[] };
}

/** The first message of a stream, and again after a reader was too slow: the state that frames change. */
export interface Hello {
  readonly at: number;
  /** Changes with every start of the gateway. */
  readonly start: string;
  readonly version: string;
  readonly points: readonly Point[];
  readonly instances: readonly Json[];
}
