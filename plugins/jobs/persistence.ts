/** From the configuration to a job store: in memory, or durable with what a previous run left put in order. */
import type { Logger } from '../../kernel/index.ts';
import type { StorageService } from '../storage/api.ts';
import type { JobRow, JobStore } from './api.ts';
import type { Settings } from './config.ts';
import { createDurableStore, notConfigured, type PersistenceHealth } from './durable-store.ts';
import { jobErrors } from './errors.ts';
import { timestampOf } from './job.ts';
import { createMemoryStore } from './memory-store.ts';

export interface OpenedStore {
  store: JobStore;
  /** Jobs of a previous run, interrupted now. */
  recovered: readonly JobRow[];
  health(): PersistenceHealth;
}

export interface PersistenceDeps {
  config: Settings;
  /** Undefined when the server has no storage plugin. */
  storage: Pick<StorageService, 'open'> | undefined;
  now: number;
  /** Error text of interrupted jobs. */
  restartText: string;
  log: Logger;
}

const hourMs = 3_600_000;

/** Rejects with a descriptive error rather than falling back to memory when a path is set (specification: Errors 3, 4). */
export async function openJobStore({ config, storage, now, restartText, log }: PersistenceDeps): Promise<OpenedStore> {
  const memory = createMemoryStore(config.max_kept_jobs);
  const { job_storage_path: path, job_retention_hours: retention } = config;
  if (path === null) return { store: memory, recovered: [], health: () => notConfigured };
  if (!storage) throw jobErrors.NO_STORAGE();
  const { jobMigrations } = await import('./migrations.ts');
  const { createJobDisk } = await import('./store.ts');
  const database = await storage.open<import('./migrations.ts').JobTables>(path, jobMigrations);
  const disk = createJobDisk(database);
  const store = createDurableStore({ memory, disk, kindOf: database.kindOf, log });
  if (config.job_recovery === 'requeue') {
    const policies = { requested_policy: 'requeue', effective_policy: 'drop' };
    log.warn(policies, 'job_recovery "requeue" is not available yet: jobs of the previous run are dropped');
  }
  const recovered = store.recover(timestampOf(now), restartText);
  if (recovered.length > 0) log.info({ jobs: recovered.length }, 'jobs of the previous run were interrupted');
  if (retention !== null) store.retain(timestampOf(Math.max(0, now - retention * hourMs)));
  return { store, recovered, health: store.health };
}
