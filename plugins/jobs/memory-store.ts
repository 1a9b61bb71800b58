/** Job rows in memory: every unfinished one, and the newest finished ones. */
import { isTerminal, type JobRow, type JobStore } from './api.ts';

/** `maxFinished` is how many terminal rows are kept; the oldest go first. */
export function createMemoryStore(maxFinished: number): JobStore {
  const rows = new Map<string, JobRow>();
  /** Terminal ids in the order they ended. */
  const finished = new Set<string>();

  return {
    save(row) {
      rows.set(row.job_id, row);
      if (!isTerminal(row.status)) return;
      finished.add(row.job_id);
      if (finished.size <= maxFinished) return;
      const [oldest] = finished;
      finished.delete(oldest as string);
      rows.delete(oldest as string);
    },
    get: id => rows.get(id),
    prune(before) {
      let removed = 0;
      for (const id of finished) {
        if ((rows.get(id)?.updated_at ?? '') >= before) continue;
        rows.delete(id);
        finished.delete(id);
        removed += 1;
      }
      return removed;
    },
  };
}
