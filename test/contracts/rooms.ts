/**
 * The plugins that keep state, for the tests of their behaviour: as they are, or over drivers that answer later.
 * `SVC_TEST_STORES` is `slow-memory` or `slow-sqlite` where a test file runs the tests of a room once more.
 */
import { jobsPlugin as jobsOfProduct, jobsOver } from '../../plugins/jobs/index.ts';
import { createMemoryStore } from '../../plugins/jobs/memory-store.ts';
import { openDriver } from '../../plugins/jobs/persistence.ts';
import type { JobStore } from '../../plugins/jobs/store.ts';
import { slow } from './slow.ts';

const stores = process.env.SVC_TEST_STORES;

const slowJobs = jobsOver(async deps => {
  const opened = await openDriver(deps);
  if (opened) return { ...opened, store: slow(opened.store) };
  if (stores !== 'slow-memory') return undefined;
  return { store: slow<JobStore>(createMemoryStore(deps.config.max_kept_jobs)), kindOf: () => 'backend' };
});

export const jobsPlugin = stores ? slowJobs : jobsOfProduct;
