/** The last jobs of all live instances, each with where it runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../schemas/loose.ts';
import type { BackendsService } from '../backends/api.ts';

/** An instance that does not answer in time is left out, and counted. */
const askMs = 1500;

export const createJobList =
  (backends: Pick<BackendsService, 'list'>) =>
  async (limit: number): Promise<{ jobs: Json[]; unread_instances?: number }> => {
    const asked = backends.list().map(async backend => {
      const { instance_id, dcc_type } = backend.instance;
      const late = sleep(askMs, undefined, { ref: false });
      const rows = await Promise.race([backend.jobs(limit).catch(() => undefined), late]);
      return rows?.map(row => ({ ...row, instance_id, dcc_type }) as Json);
    });
    const found = await Promise.all(asked);
    const unread = found.filter(each => each === undefined).length;
    const jobs = found
      .flatMap(each => each ?? [])
      .sort((a, b) => (String(a.created_at) < String(b.created_at) ? 1 : -1));
    return { jobs: jobs.slice(0, limit), ...(unread > 0 && { unread_instances: unread }) };
  };
