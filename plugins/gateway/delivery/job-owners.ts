/** Finds the instance that a job belongs to. */

import type { Instance, InstancesService } from '../../instances/api.ts';
import type { BackendsService } from '../backends/api.ts';
import type { Delivery } from './delivery.ts';
import { deliveryErrors } from './errors.ts';

/** An instance that does not answer this question in time is taken not to know the job. */
const askMs = 3000;

export interface JobOwnersDeps {
  delivery: Pick<Delivery, 'ownerOf' | 'learn'>;
  instances: Pick<InstancesService, 'get' | 'resolve'>;
  backends: Pick<BackendsService, 'list'>;
}

/** Rejects with SVC_RELAY_JOB_UNKNOWN, or with why the instance that owns the job is gone. */
export function createJobOwners({ delivery, instances, backends }: JobOwnersDeps) {
  const knows = async (jobId: string): Promise<Instance> =>
    Promise.any(
      backends.list().map(async backend => {
        const params = { name: 'jobs_get_status', arguments: { job_id: jobId, include_result: false } };
        const options = { idempotent: true, timeoutMs: askMs };
        const result = (await backend.request('tools/call', params, options)) as { isError?: boolean };
        if (result.isError) throw deliveryErrors.JOB_UNKNOWN({ job_id: jobId });
        return backend.instance;
      }),
    ).catch(() => {
      throw deliveryErrors.JOB_UNKNOWN({ job_id: jobId.slice(0, 256) });
    });

  return async (jobId: string): Promise<Instance> => {
    const known = await delivery.ownerOf(jobId);
    const alive = known === undefined ? undefined : instances.get(known);
    if (alive) return alive;
    // A restarted instance has another id and may have kept its jobs.
    const found = await knows(jobId).catch((error: unknown) => {
      throw known === undefined ? error : offline(known, error);
    });
    await delivery.learn(jobId, found.instance_id);
    return found;
  };

  /** Why the known owner cannot be asked any more. */
  function offline(instance_id: string, otherwise: unknown): unknown {
    try {
      instances.resolve(instance_id);
      return otherwise;
    } catch (error) {
      return error;
    }
  }
}
