/** Tells the bus what happens to jobs. */
import type { Bus, EventRecord } from '../../kernel/index.ts';
import type { JobLog, JobRow, ReportedProgress } from './api.ts';
import type { LiveJob } from './job.ts';

/** `dccType` names the source of the events. */
export function createTelling(bus: Bus, dccType: string | null) {
  const source = dccType === null ? {} : { dcc_type: dccType };

  const correlationOf = (job_id: string, job: LiveJob | undefined): EventRecord => {
    const correlation: EventRecord = { job_id };
    if (job?.sessionId !== undefined) correlation.session_id = job.sessionId;
    if (job?.progressToken !== undefined) correlation.progress_token = job.progressToken;
    return correlation;
  };

  const tellProgress = (job: LiveJob, progress: ReportedProgress): void => {
    if (!bus.wants('internal.job.progressed')) return;
    const { job_id } = job.row;
    bus.emit('internal.job.progressed', {
      source,
      correlation: correlationOf(job_id, job),
      attributes: { job_id, progress },
    });
  };

  const tellLog = (job: LiveJob, said: Omit<JobLog, 'job_id'>): void => {
    if (!bus.wants('internal.job.logged')) return;
    const { job_id } = job.row;
    bus.emit('internal.job.logged', {
      source,
      correlation: correlationOf(job_id, job),
      attributes: { job_id, ...said },
    });
  };

  const tell = (row: JobRow, job?: LiveJob): void => {
    if (!bus.wants('job.updated')) return;
    const { job_id, parent_job_id, tool, status, started_at, completed_at, error } = row;
    bus.emit('job.updated', {
      source,
      correlation: correlationOf(job_id, job),
      attributes: { job_id, parent_job_id, tool, status, started_at, completed_at, error },
    });
  };

  return { tell, tellProgress, tellLog };
}
