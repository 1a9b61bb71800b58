/**
 * From changes of jobs to notifications (specification: MCP notifications). A job's session is told on its standing
 * stream, best effort; a job without a session is told to all.
 */

import type { McpService } from '../../mcp/api.ts';
import type { JobChange, JobRow, ReportedProgress } from '../api.ts';
import type { WorkflowListener } from '../workflows/api.ts';

/** Progress notifications run from 0 to 100 (specification: Progress notification mapping). */
const total = 100;
const pendingAt = 0;
const runningAt = 10;

/** Where a job stands between 0 and 100: running jobs share the way from 10 to 100 as far as they report. */
export function progressOf(row: Pick<JobRow, 'status' | 'progress'>): number {
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

export interface JobNotifications {
  tell(change: JobChange): void;
  tellWorkflow: WorkflowListener;
}

/** `updates` switches the `$/dcc.*` channel; progress was asked for by whoever gave a token. */
export function createJobNotifications(
  mcp: Pick<McpService, 'notify' | 'broadcast'>,
  updates: boolean,
): JobNotifications {
  /** Last progress sent per unfinished job. */
  const reached = new Map<string, number>();

  const send = (sessionId: string | undefined, method: string, params: Record<string, unknown>): void => {
    if (sessionId === undefined) mcp.broadcast(method, params);
    else mcp.notify(sessionId, method, params);
  };

  const report = ({ row, sessionId, progressToken }: JobChange): void => {
    if (progressToken === undefined || sessionId === undefined) return;
    const progress = Math.round(progressOf(row) * 1000) / 1000;
    if (progress <= (reached.get(row.job_id) ?? -1)) return;
    if (progress < total) reached.set(row.job_id, progress);
    else reached.delete(row.job_id);
    const message = row.status === 'running' ? (row.progress?.message ?? row.status) : row.status;
    mcp.notify(sessionId, 'notifications/progress', { progressToken, progress, total, message });
  };

  const update = ({ row, sessionId }: JobChange): void => {
    const { job_id, parent_job_id, tool, status, started_at, completed_at, error } = row;
    const params = { job_id, parent_job_id, tool, status, started_at, completed_at, error };
    send(sessionId, 'notifications/$/dcc.jobUpdated', params);
  };

  return {
    tell(change) {
      if (change.kind === 'transition' && updates) update(change);
      report(change);
    },
    tellWorkflow(workflow, sessionId) {
      if (updates) send(sessionId, 'notifications/$/dcc.workflowUpdated', { ...workflow });
    },
  };
}
