/**
 * What jobs tell the bus. `correlation` has `job_id`, and where there is one the `session_id` that started the job
 * (children have that of their parent) and the `progress_token` of the launching request.
 */
import type { JobLog, JobReport, JobUpdate } from './api.ts';

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'job.updated': JobUpdate;
    'internal.job.progressed': JobReport;
    'internal.job.logged': JobLog;
  }
}

export const jobsEvents = {
  'job.updated': 'a background job changed its state; it is stored by then',
  'internal.job.progressed': 'a running job reported progress',
  'internal.job.logged': 'a running job logged for its caller, whose request is answered already',
} as const;
