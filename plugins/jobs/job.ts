/** One job while it is not terminal: its rows, how it is cancelled, who belongs to it. */
import type { JobRow } from './api.ts';
import type { LaneTask } from './lanes.ts';

export interface LiveJob {
  row: JobRow;
  /** The row as others see it: the newest that is stored, with the progress since; none before the first is stored. */
  shown: JobRow | undefined;
  /** Made when it begins. */
  controller: AbortController | undefined;
  /** Made with its first child. */
  children: Set<string> | undefined;
  /** The session that started it; children have that of their parent. */
  readonly sessionId: string | undefined;
  /** Of the launching request. */
  readonly progressToken: string | number | undefined;
  /** The request of `sessionId` that became this job. */
  readonly requestId: string | number | undefined;
  task: LaneTask | undefined;
  /** Why it was cancelled, once somebody asked. */
  cancelled: Error | undefined;
  /** What its work came to, while a call waits for it. */
  came: { result: Readonly<Record<string, unknown>> } | { error: unknown } | undefined;
  /** Told when its end is stored. */
  ended: (() => void) | undefined;
  /** When its progress was last stored, in ms. */
  savedAt: number;
}

export interface Outcome {
  status: 'completed' | 'failed' | 'cancelled' | 'interrupted';
  error: string | null;
  result: string | null;
}

let lastMs = Number.NaN;
let lastText = '';

/** RFC 3339 in UTC, as rows carry it. Transitions of one millisecond share their text. */
export function timestampOf(ms: number): string {
  if (ms === lastMs) return lastText;
  lastText = new Date(ms).toISOString();
  lastMs = ms;
  return lastText;
}

/** A job whose first row is on its way into the store. */
export const liveJob = (
  row: JobRow,
  { sessionId, progressToken, requestId }: Pick<LiveJob, 'sessionId' | 'progressToken'> & Partial<LiveJob>,
): LiveJob => ({
  row,
  shown: undefined,
  controller: undefined,
  children: undefined,
  sessionId,
  progressToken,
  requestId,
  task: undefined,
  cancelled: undefined,
  came: undefined,
  ended: undefined,
  savedAt: 0,
});

/** The row of a job that begins to wait. Member by member: it is made before the receipt, and spreading costs more. */
export const newRow = (
  given: Pick<JobRow, 'job_id' | 'parent_job_id' | 'owner' | 'tool' | 'output'>,
  now: string,
): JobRow => ({
  job_id: given.job_id,
  parent_job_id: given.parent_job_id,
  owner: given.owner ?? null,
  tool: given.tool,
  status: 'pending',
  progress: null,
  created_at: now,
  updated_at: now,
  started_at: null,
  completed_at: null,
  error: null,
  result: null,
  output: given.output,
});

export const runningRow = (row: JobRow, now: string): JobRow => ({
  ...row,
  status: 'running',
  updated_at: now,
  started_at: now,
});

export const endedRow = (row: JobRow, outcome: Outcome, now: string): JobRow => ({
  ...row,
  ...outcome,
  updated_at: now,
  started_at: row.started_at ?? now,
  completed_at: now,
});
