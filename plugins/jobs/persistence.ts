/** From the settings to the rows of jobs: the driver, and what a previous run left in it put in order. */
import type { Logger } from '../../kernel/index.ts';
import type { StorageService } from '../storage/api.ts';
import type { JobRow } from './api.ts';
import type { Settings } from './config.ts';
import { jobErrors } from './errors.ts';
import { timestampOf } from './job.ts';
import { createLedger, type JobLedger } from './ledger.ts';
import { createMemoryStore } from './memory-store.ts';
import type { JobTables } from './migrations.ts';
import type { JobDriver } from './store.ts';

export interface DriverDeps {
  config: Settings;
  /** Undefined when the server has no storage plugin. */
  storage: Pick<StorageService, 'open'> | undefined;
}

/** Chooses and opens the driver; undefined for memory alone. */
export type OpenDriver = (deps: DriverDeps) => Promise<JobDriver | undefined>;

/** Rejects with a descriptive error rather than falling back to memory when a path is set (specification: Errors 3, 4). */
export const openDriver: OpenDriver = async ({ config, storage }) => {
  const { job_storage_path: path } = config;
  if (path === null) return undefined;
  if (!storage) throw jobErrors.NO_STORAGE();
  const { jobMigrations } = await import('./migrations.ts');
  const { createSqliteStore } = await import('./sqlite-store.ts');
  const database = await storage.open<JobTables>(path, jobMigrations);
  return { store: createSqliteStore(database), kindOf: database.kindOf };
};

export interface LedgerOptions {
  config: Settings;
  driver: JobDriver | undefined;
  now: number;
  /** Error text of interrupted jobs. */
  restartText: string;
  log: Logger;
}

const hourMs = 3_600_000;

/** The ledger over `driver`, and the jobs of a previous run that are interrupted now. */
export async function openLedger(options: LedgerOptions): Promise<{ ledger: JobLedger; recovered: readonly JobRow[] }> {
  const { config, driver, now, restartText, log } = options;
  const ledger = createLedger({ memory: createMemoryStore(config.max_kept_jobs), driver, log });
  if (driver && config.job_recovery === 'requeue') {
    const policies = { requested_policy: 'requeue', effective_policy: 'drop' };
    log.warn(policies, 'job_recovery "requeue" is not available yet: jobs of the previous run are dropped');
  }
  const recovered = await ledger.recover(timestampOf(now), restartText);
  if (recovered.length > 0) log.info({ jobs: recovered.length }, 'jobs of the previous run were interrupted');
  const { job_retention_hours: retention } = config;
  if (retention !== null) await ledger.retain(timestampOf(Math.max(0, now - retention * hourMs)));
  return { ledger, recovered };
}
