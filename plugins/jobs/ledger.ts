/**
 * Rows in memory, and with a driver written through to it, one write at a time: what comes meanwhile goes with the next.
 * When the driver fails, jobs go on in memory: what is not stored yet follows with the next write that succeeds, and
 * after the third failure of one kind in a row nothing more is tried (shape:health); of a full disk, it is tried for ever.
 */
import { type Awaitable, createTurns, isPromise, type Logger } from '../../kernel/index.ts';
import type { JobRow, Whose } from './api.ts';
import { jobErrors } from './errors.ts';
import { endedRow } from './job.ts';
import type { MemoryStore } from './memory-store.ts';
import type { JobDriver } from './store.ts';

/** The `job_persistence` member of /health: no paths, no messages. */
export interface PersistenceHealth {
  state: 'not_configured' | 'healthy' | 'degraded' | 'disabled' | 'unavailable';
  consecutive_failures: number;
  last_error_kind: string | null;
}

export interface JobLedger {
  /** Inserts or replaces, rows of one job in the order they came. Settles when the row is stored or given up; never fails. */
  save(row: JobRow): Awaitable<void>;
  get(id: string): Awaitable<JobRow | undefined>;
  /** The last created, the newest first, without their results; what the driver cannot tell is left out. */
  newest(limit: number, whose?: Whose): Promise<JobRow[]>;
  /** Removes terminal rows last updated before `before`; how many. Rejects with SVC_JOBS_STORE_FAILED and removes none. */
  prune(before: string): Promise<number>;
  /** Makes rows that a previous run left unfinished `interrupted`; resolves with them as they are now. */
  recover(now: string, error: string): Promise<JobRow[]>;
  /** Removes old terminal rows at start; a failure leaves them and shows in the health. */
  retain(before: string): Promise<void>;
  health(): PersistenceHealth;
  /** Resolves when all that was saved is stored, or was tried once more. */
  close(): Promise<void>;
}

export interface LedgerDeps {
  memory: MemoryStore;
  /** Undefined: memory alone. */
  driver: JobDriver | undefined;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** Failures of one kind in a row after which the driver is given up until the next start. */
const mostFailures = 3;

export function createLedger({ memory, driver, log }: LedgerDeps): JobLedger {
  /** Newest state of rows that the driver does not have yet. */
  const unsaved = new Map<string, JobRow>();
  const turns = createTurns();
  let store = driver?.store;
  let failures = 0;
  let last: string | null = null;
  let warned = false;

  const failed = (error: unknown): string => {
    const kind = driver?.kindOf(error) ?? 'backend';
    failures = kind === last ? failures + 1 : 1;
    last = kind;
    if (!warned) log.warn({ kind }, 'the job store failed: jobs go on in memory');
    warned = true;
    // Space may come back: every write tries again, and takes along what waits.
    if (failures >= mostFailures && kind !== 'disk_full') {
      store = undefined;
      unsaved.clear();
    }
    return kind;
  };

  const stored = (rows: readonly JobRow[]): void => {
    for (const row of rows) if (unsaved.get(row.job_id) === row) unsaved.delete(row.job_id);
    failures = 0;
    last = null;
  };

  /** Writes whatever waits: of callers that queued up, the first writes for all. */
  const write = (): Awaitable<void> => {
    if (!store || unsaved.size === 0) return;
    const rows = [...unsaved.values()];
    try {
      const saved = store.save(rows);
      if (isPromise(saved)) return saved.then(() => stored(rows), failed).then(() => undefined);
      stored(rows);
    } catch (error) {
      failed(error);
    }
  };
  const inTurn = <T>(work: () => Awaitable<T>): Awaitable<T> => turns.take('', work);

  return {
    save(row) {
      memory.save([row]);
      if (!store) return;
      unsaved.set(row.job_id, row);
      return inTurn(write);
    },
    get(id) {
      const kept = memory.get(id) ?? unsaved.get(id);
      if (kept || !store) return kept;
      const lost = (error: unknown): undefined => void failed(error);
      try {
        const found = store.get(id);
        return isPromise(found) ? found.catch(lost) : found;
      } catch (error) {
        return lost(error);
      }
    },
    async newest(limit, whose) {
      const stored = await Promise.resolve()
        .then(() => store?.newest(limit, whose))
        .catch((error: unknown) => void failed(error));
      const byId = new Map([...(stored ?? []), ...memory.newest(limit, whose)].map(row => [row.job_id, row]));
      return [...byId.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, limit);
    },
    async prune(before) {
      if (!store) return memory.prune(before);
      const removed = await inTurn(async () => {
        await write();
        try {
          if (unsaved.size === 0) return await store?.prune(before);
        } catch (error) {
          failed(error);
        }
        throw jobErrors.STORE_FAILED({ action: 'remove any job', reason: last });
      });
      return Math.max(removed ?? 0, memory.prune(before));
    },
    async recover(now, error) {
      const left = (await store?.unfinished()) ?? [];
      const rows = left.map(row => endedRow(row, { status: 'interrupted', error, result: null }, now));
      if (rows.length > 0) await store?.save(rows);
      return rows;
    },
    async retain(before) {
      try {
        await store?.prune(before);
      } catch (error) {
        log.warn({ kind: driver?.kindOf(error) }, 'old jobs were not removed');
        failures = 1;
        last = 'retention_prune_failed';
      }
    },
    health() {
      const running = store ? (failures > 0 ? 'degraded' : 'healthy') : 'disabled';
      return { state: driver ? running : 'not_configured', consecutive_failures: failures, last_error_kind: last };
    },
    async close() {
      await inTurn(write);
      await turns.idle();
      if (unsaved.size > 0) log.error({ jobs: unsaved.size, kind: last }, 'the newest state of jobs was not stored');
    },
  };
}
