/**
 * What jobs tell the bus. `correlation` has `job_id`, and where there is one the `session_id` that started the job
 * (children have that of their parent) and the `progress_token` of the launching request.
 */
import type { JobReport, JobUpdate } from './api.ts';

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'job.updated': JobUpdate;
    'internal.job.progressed': JobReport;
  }
}

export const jobsEvents = {
  'job.updated': 'a background job changed its state; it is stored by then',
  'internal.job.progressed': 'a running job reported progress',
} as const;
