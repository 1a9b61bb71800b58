/** Jobs of the instances, as rows and in full. */
import { isObject, type Json } from '../../schemas/loose.ts';
import { payloadOf } from '../../schemas/payload.ts';
import { redacted } from '../../schemas/redaction.ts';
import type { BackendNotification, BackendsService } from '../gateway/backends/api.ts';
import type { DeliveryService } from '../gateway/delivery/api.ts';
import { askBuiltin } from './builtins.ts';

/** A job as it is now; undefined for a notification of something else. Pure. */
export function jobUpdate({ instance_id, method, params }: BackendNotification): Json | undefined {
  if (method !== 'notifications/$/dcc.jobUpdated' || typeof params.job_id !== 'string') return undefined;
  const { result: _, ...rest } = params;
  return redacted({ ...rest, instance_id }) as Json;
}

const listedRows = 200;
/** Of a result, before it is looked through for secrets: more than is shown of it. */
const readResult = 65_536;

interface JobsDeps {
  backends: Pick<BackendsService, 'get'>;
  delivery: Pick<DeliveryService, 'jobs' | 'ownerOf'>;
}

export const createJobs = ({ backends, delivery }: JobsDeps) => ({
  async list(): Promise<Json> {
    const { jobs, ...rest } = await delivery.jobs(listedRows);
    return { total: jobs.length, tasks: jobs, ...rest };
  },

  /** With its result, as far as its instance keeps it. */
  async detail(job_id: string): Promise<Json> {
    const { instance_id, dcc_type } = await delivery.ownerOf(job_id);
    const { result, ...job } = await askBuiltin(backends.get(instance_id), 'jobs_get_status', { job_id });
    const shown = isObject(result) ? JSON.stringify(result.structuredContent ?? result) : undefined;
    return {
      ...(redacted(job) as Json),
      ...{ instance_id, dcc_type },
      ...(shown && { result: payloadOf(shown.slice(0, readResult), Buffer.byteLength(shown)) }),
    };
  },
});
