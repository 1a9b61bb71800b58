/** Stored feedback, as programs read it. */
import type { Finding } from '../../schemas/finding.ts';

export type { AgentFinding, Finding, FindingContext, FindingEvidence, LegacyReport } from '../../schemas/finding.ts';

/** A stored report: a finding with its id and time. */
export type FeedbackEntry = Finding & {
  /** The `feedback_id` of the receipt. */
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
};

/** What a gateway answers to an accepted report. */
export interface FeedbackReceipt {
  ok: true;
  success: true;
  feedback_id: string;
  /** RFC 3339. */
  recorded_at: string;
  event_resource_uri: string;
  schema_version: number;
  fingerprint: string;
  /** Whose it is by the bundled catalogue, where that is known. */
  routed?: { repo: string; issues_url: string; route_rationale: string };
}

/** Answer of `/admin/api/feedback`. */
export interface FeedbackListing {
  success: true;
  source: 'registry-jsonl';
  /** Records that match. */
  total: number;
  /** Records in `entries`. */
  count: number;
  truncated: boolean;
  /** Lines that are no record. */
  skipped_invalid: number;
  /** Records that stand in more than one file. */
  deduplicated: number;
  files_scanned: number;
  filters: { range: string; dcc: string | null; severity: string | null; limit: number };
  /** Newest first. */
  entries: Record<string, unknown>[];
}

/** Which of the newest reports of this process are asked for. */
export interface FeedbackFilter {
  /** The tool that they are about. */
  tool_name?: string;
  severity?: string;
  /** Default: 50. */
  limit?: number;
}
