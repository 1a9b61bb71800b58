/**
 * Rows in memory and written through to disk. When the disk fails, jobs go on in memory: what is not stored yet follows
 * with the next write that succeeds, and after the third failure of one kind in a row nothing more is tried (CONTRACT 2).
 */
import type { Logger } from '../../kernel/index.ts';
import type { Database } from '../storage/api.ts';
import type { JobRow, JobStore } from './api.ts';
import { jobErrors } from './errors.ts';
import { endedRow } from './job.ts';
import type { JobDisk } from './store.ts';

/** The `job_persistence` member of /health: no paths, no messages. */
export interface PersistenceHealth {
  state: 'not_configured' | 'healthy' | 'degraded' | 'disabled' | 'unavailable';
  consecutive_failures: number;
  last_error_kind: string | null;
}

export const notConfigured: PersistenceHealth = {
  state: 'not_configured',
  consecutive_failures: 0,
  last_error_kind: null,
};

export interface DurableStore extends JobStore {
  /** Makes rows that a previous run left unfinished `interrupted`; returns them as they are now. */
  recover(now: string, error: string): JobRow[];
  /** Removes old terminal rows at start; a failure leaves them and shows in the health. */
  retain(before: string): void;
  health(): PersistenceHealth;
}

export interface DurableStoreDeps {
  memory: JobStore;
  disk: JobDisk;
  kindOf: Database<never>['kindOf'];
  log: Pick<Logger, 'warn'>;
}

/** Failures of one kind in a row after which the disk is given up until the next start. */
const mostFailures = 3;

export function createDurableStore({ memory, disk, kindOf, log }: DurableStoreDeps): DurableStore {
  /** Newest state of rows that the disk does not have yet. */
  const missed = new Map<string, JobRow>();
  let failures = 0;
  let last: string | null = null;
  let disabled = false;
  let warned = false;

  const failed = (kind: string): void => {
    failures = kind === last ? failures + 1 : 1;
    last = kind;
    if (!warned) log.warn({ kind }, 'the job store failed: jobs go on in memory');
    warned = true;
    if (failures < mostFailures) return;
    disabled = true;
    missed.clear();
  };

  const succeeded = (): void => {
    failures = 0;
    last = null;
  };

  return {
    save(row) {
      memory.save(row);
      if (disabled) return;
      try {
        if (missed.size === 0) disk.save(row);
        else disk.saveAll([...missed.values(), row]);
        missed.clear();
        if (failures > 0) succeeded();
      } catch (error) {
        missed.set(row.job_id, row);
        failed(kindOf(error));
      }
    },
    get(id) {
      const kept = memory.get(id) ?? missed.get(id);
      if (kept || disabled) return kept;
      try {
        return disk.get(id);
      } catch (error) {
        failed(kindOf(error));
        return undefined;
      }
    },
    prune(before) {
      if (disabled) return memory.prune(before);
      let removed: number;
      try {
        if (missed.size > 0) disk.saveAll([...missed.values()]);
        missed.clear();
        removed = disk.prune(before);
      } catch (error) {
        const kind = kindOf(error);
        failed(kind);
        throw jobErrors.STORE_FAILED({ action: 'remove any job', reason: kind }, error);
      }
      return Math.max(removed, memory.prune(before));
    },
    recover(now, error) {
      const rows = disk.unfinished().map(row => endedRow(row, { status: 'interrupted', error, result: null }, now));
      disk.saveAll(rows);
      return rows;
    },
    retain(before) {
      try {
        disk.prune(before);
      } catch (error) {
        log.warn({ kind: kindOf(error) }, 'old jobs were not removed');
        failures = 1;
        last = 'retention_prune_failed';
      }
    },
    health: () => ({
      state: disabled ? 'disabled' : failures > 0 ? 'degraded' : 'healthy',
      consecutive_failures: failures,
      last_error_kind: last,
    }),
  };
}
