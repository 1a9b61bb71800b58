/** Types of jobs that the host itself tracks. */
import type { AsyncDisposer, HostHalf } from '../../kernel/light.ts';
import type { PollContract } from './api.ts';

export interface HostJobs {
  /**
   * Registers how the jobs that a tool starts are polled, as `jobs_poll_contract` answers it; a later registration of
   * the same type replaces it. Rejects with SVC_JOBS_POLL_INVALID.
   */
  registerJobType(jobType: string, contract: PollContract): Promise<AsyncDisposer>;
}

export const jobsHalf = {
  plugin: 'jobs',
  operations: ['registerJobType'],
  open: (link): HostJobs => ({
    registerJobType: (job_type, contract) => link.call('registerJobType', { job_type, contract }),
  }),
} satisfies HostHalf<HostJobs>;
