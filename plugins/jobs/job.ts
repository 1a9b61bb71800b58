/** One job while it is not terminal: its row, how it is cancelled, who belongs to it. */
import type { JobChange, JobRow } from './api.ts';
import type { LaneTask } from './lanes.ts';

export interface LiveJob {
  row: JobRow;
  readonly controller: AbortController;
  readonly children: Set<string>;
  readonly sessionId: JobChange['sessionId'];
  readonly progressToken: JobChange['progressToken'];
  task: LaneTask | undefined;
  /** Why it was cancelled, once somebody asked. */
  cancelled: Error | undefined;
  /** When its progress was last stored, in ms. */
  savedAt: number;
}

/** How a job ended. */
export interface Outcome {
  status: 'completed' | 'failed' | 'cancelled' | 'interrupted';
  error: string | null;
  result: string | null;
}

/** RFC 3339 in UTC, as rows carry it. */
export const timestampOf = (ms: number): string => new Date(ms).toISOString();

/** The row of a job that begins to wait. */
export function newRow(given: Pick<JobRow, 'job_id' | 'parent_job_id' | 'tool' | 'output'>, now: string): JobRow {
  const times = { created_at: now, updated_at: now, started_at: null, completed_at: null };
  return { ...given, ...times, status: 'pending', progress: null, error: null, result: null };
}

/** The row after it began. */
export const runningRow = (row: JobRow, now: string): JobRow => ({
  ...row,
  status: 'running',
  updated_at: now,
  started_at: now,
});

/** The row after it ended. */
export const endedRow = (row: JobRow, outcome: Outcome, now: string): JobRow => ({
  ...row,
  ...outcome,
  updated_at: now,
  started_at: row.started_at ?? now,
  completed_at: now,
});
