/**
 * From changes of jobs to notifications (specification: MCP notifications). A job's session is told on its standing
 * stream, best effort; a job without a session is told to all, unless callers authenticate: it is one caller's then.
 */

import type { EventEnvelope, EventRecord } from '../../../kernel/index.ts';
import type { McpService } from '../../mcp/api.ts';
import type { JobLog, JobReport, JobRow, JobUpdate, ReportedProgress } from '../api.ts';
import type { WorkflowUpdate } from '../workflows/api.ts';

/** Progress notifications run from 0 to 100 (specification: Progress notification mapping). */
const total = 100;
const pendingAt = 0;
const runningAt = 10;

type Progressing = Pick<JobRow, 'status' | 'progress'>;

/** Where a job stands between 0 and 100: running jobs share the way from 10 to 100 as far as they report. */
export function progressOf(row: Progressing): number {
  if (row.status === 'pending') return pendingAt;
  if (row.status !== 'running') return total;
  return runningAt + (total - runningAt) * Math.min(shareOf(row.progress), 0.999);
}

/** Without a total nobody knows how far it is: every report goes a part of what is left. */
function shareOf(progress: ReportedProgress | null): number {
  if (progress === null) return 0;
  const { current, total: all } = progress;
  if (all === undefined) return current / (current + 10);
  return all > 0 ? current / all : 0;
}

export type JobNotifications = ReturnType<typeof createJobNotifications>;

/**
 * `updates` switches the `$/dcc.*` channel; progress was asked for by whoever gave a token. `guarded` says whether callers
 * authenticate.
 */
export function createJobNotifications(
  mcp: Pick<McpService, 'notify' | 'broadcast'>,
  updates: boolean,
  guarded: () => boolean,
) {
  /** Last progress sent per unfinished job. */
  const reached = new Map<string, number>();

  const send = ({ session_id }: EventRecord, method: string, params: EventRecord): void => {
    if (typeof session_id === 'string') mcp.notify(session_id, method, params);
    else if (!guarded()) mcp.broadcast(method, params);
  };

  const report = (row: Progressing, { job_id, session_id, progress_token: progressToken }: EventRecord): void => {
    if (progressToken === undefined || typeof session_id !== 'string') return;
    const id = String(job_id);
    const progress = Math.round(progressOf(row) * 1000) / 1000;
    if (progress <= (reached.get(id) ?? -1)) return;
    if (progress < total) reached.set(id, progress);
    else reached.delete(id);
    const message = row.progress?.message ?? row.status;
    mcp.notify(session_id, 'notifications/progress', { progressToken, progress, total, message });
  };

  return {
    updated({ attributes, correlation }: EventEnvelope<JobUpdate>): void {
      // The attributes are what the specification has in the payload.
      if (updates) send(correlation, 'notifications/$/dcc.jobUpdated', attributes);
      report({ status: attributes.status, progress: null }, correlation);
    },
    progressed({ attributes: { progress }, correlation }: EventEnvelope<JobReport>): void {
      report({ status: 'running', progress }, correlation);
    },
    /** Not one of the channels: it was said to the caller, and names the job for who passes it on. */
    logged({ attributes: { job_id: jobId, ...said }, correlation: { session_id } }: EventEnvelope<JobLog>): void {
      if (typeof session_id !== 'string') return;
      mcp.notify(session_id, 'notifications/message', { ...said, _meta: { dcc: { jobId } } });
    },
    workflow({ attributes, correlation }: EventEnvelope<WorkflowUpdate>): void {
      if (updates) send(correlation, 'notifications/$/dcc.workflowUpdated', attributes);
    },
  };
}
