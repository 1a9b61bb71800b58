/** Rows as the gateway sends them, as far as the page reads them. */

export interface InstanceRow {
  instance_id: string;
  instance_short: string;
  dcc_type: string;
  display_id: string;
  display_name: string | null;
  status: string;
  stale: boolean;
  dead?: boolean;
  source: string;
  host: string;
  port: number;
  mcp_url: string;
  pid: number | null;
  host_pid: number | null;
  version: string | null;
  adapter_version: string | null;
  adapter_dcc: string | null;
  scene: string | null;
  documents: string[];
  metadata: Record<string, string>;
  last_heartbeat: number;
  pool: {
    capacity: number;
    lease_owner: string | null;
    current_job_id: string | null;
    lease_expires_at: number | null;
    available: boolean;
  };
  diagnostics: {
    readiness?: Record<string, boolean>;
    last_error?: { kind: string; message: string; at_unix_secs: number };
    probed_at_unix_secs?: number;
  };
}

export interface EventRow {
  timestamp: string;
  event: string;
  dcc_type: string;
  instance_id: string;
  reason: string;
}

export interface LogRow {
  timestamp: string;
  level: string;
  message: string;
  source: string;
  instance_id: string | null;
  request_id: string | null;
  tool: string | null;
  detail: Record<string, unknown>;
}

export interface TrafficRow {
  number: number;
  timestamp_ns: number;
  capture_id: string;
  leg: string;
  direction: string;
  request_id?: string;
  trace_id?: string;
  instance_id?: string;
  dcc_type?: string;
  http: { method: string; url: string; status?: number; headers: Record<string, string> };
  mcp: { kind: string; method?: string; id?: unknown };
  body: { size_bytes: number; redacted_paths: string[]; data?: unknown; truncated?: boolean };
}

export interface JobRow {
  job_id: string;
  status: string;
  tool?: string;
  tool_name?: string;
  parent_job_id?: string | null;
  instance_id?: string;
  dcc_type?: string;
  created_at?: string;
  started_at?: string | null;
  completed_at?: string | null;
  progress?: { current?: number; total?: number; message?: string | null } | null;
  error?: string | null;
}
