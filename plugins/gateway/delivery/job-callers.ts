/** Whose jobs a caller of the gateway may know of: an instance remembers for whom each began, and is asked. */
import type { IncomingMessage } from 'node:http';
import type { Json } from '../../../schemas/loose.ts';
import { isBehind, onBehalf } from '../../../schemas/on-behalf.ts';
import type { GuardService } from '../../guard/api.ts';
import type { Backend } from '../backends/api.ts';
import { deliveryErrors } from './errors.ts';

type Listed = { jobs: readonly Json[]; unread_instances?: number };

export function createJobCallers(
  guard: Pick<GuardService, 'on' | 'callerOf'> | undefined,
  backendOf: (jobId: string) => Promise<Pick<Backend, 'request'>>,
) {
  /** Undefined for who may know of all. */
  const restricted = (http: IncomingMessage | undefined): string | undefined => {
    const caller = guard?.on && http ? guard.callerOf(http) : undefined;
    return caller?.scopes.has('admin') ? undefined : caller?.id;
  };

  return {
    /** Rejects with SVC_RELAY_JOB_UNKNOWN for a job of somebody else. */
    async assertOwn(job_id: string, http: IncomingMessage | undefined): Promise<void> {
      const owner = restricted(http);
      if (owner === undefined) return;
      const backend = await backendOf(job_id);
      const asked = { name: 'jobs_get_status', arguments: { job_id, include_result: false } };
      const params = { ...asked, _meta: onBehalf(undefined, { owner }) };
      const result = (await backend.request('tools/call', params, { idempotent: true })) as { isError?: boolean };
      if (result.isError) throw deliveryErrors.JOB_UNKNOWN({ job_id: job_id.slice(0, 256) });
    },
    /** Without those of others, and without saying whose they are. */
    ownIn({ jobs, ...rest }: Listed, http: IncomingMessage | undefined): Listed {
      const asking = restricted(http);
      const own = asking === undefined ? jobs : jobs.filter(({ owner }) => !owner || isBehind(String(owner), asking));
      return { ...rest, jobs: own.map(({ owner, ...job }) => job) };
    },
  };
}
