/** Job rows in memory: every unfinished one, and the newest finished ones. */
import { isTerminal, type JobRow, type Whose } from './api.ts';
import { isSeen } from './askers.ts';
import type { JobStore } from './store.ts';

export type MemoryStore = ReturnType<typeof createMemoryStore>;

/** `maxFinished` is how many terminal rows are kept; the oldest go first. */
export function createMemoryStore(maxFinished: number) {
  const rows = new Map<string, JobRow>();
  /** Terminal ids in the order they ended. */
  const finished = new Set<string>();

  const save = (row: JobRow): void => {
    rows.set(row.job_id, row);
    if (!isTerminal(row.status)) return;
    finished.add(row.job_id);
    if (finished.size <= maxFinished) return;
    const [oldest] = finished;
    finished.delete(oldest as string);
    rows.delete(oldest as string);
  };

  return {
    save(added: readonly JobRow[]): void {
      for (const row of added) save(row);
    },
    get: (id: string): JobRow | undefined => rows.get(id),
    unfinished: (): JobRow[] => [...rows.values()].filter(row => !isTerminal(row.status)),
    newest: (limit: number, whose?: Whose): JobRow[] =>
      [...rows.values()]
        .filter(row => isSeen(row, whose))
        .slice(-limit)
        .reverse()
        .map(row => ({ ...row, result: null })),
    prune(before: string): number {
      let removed = 0;
      for (const id of finished) {
        if ((rows.get(id)?.updated_at ?? '') >= before) continue;
        rows.delete(id);
        finished.delete(id);
        removed += 1;
      }
      return removed;
    },
  } satisfies JobStore;
}
