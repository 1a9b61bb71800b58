/** Jobs that instances have told of and that have not ended: an instance that dies cannot say that they end with it. */
import { LRUCache } from 'lru-cache';

type Params = Readonly<Record<string, unknown>>;

/** Jobs remembered at once, the newest. */
const most = 10_000;

const over = new Set<unknown>(['completed', 'failed', 'cancelled', 'interrupted']);

export function createRunningJobs() {
  const running = new LRUCache<string, { instance_id: string; params: Params }>({ max: most });

  return {
    /** Takes the params of a `$/dcc.jobUpdated`. */
    note(instance_id: string, params: Params): void {
      const { job_id, status } = params;
      if (typeof job_id !== 'string') return;
      if (over.has(status)) running.delete(job_id);
      else running.set(job_id, { instance_id, params });
    },
    /** The last words about the jobs of an instance that has ended, which are forgotten then. */
    lost(instance_id: string, error: string, now: string): Params[] {
      const mine = [...running.entries()].filter(([, each]) => each.instance_id === instance_id);
      return mine.map(([job_id, { params }]) => {
        running.delete(job_id);
        return { ...params, status: 'interrupted', started_at: params.started_at ?? now, completed_at: now, error };
      });
    },
  };
}
