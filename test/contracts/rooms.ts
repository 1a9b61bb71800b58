/**
 * The plugins that keep state, for the tests of their behaviour: as they are, or over drivers that answer later.
 * `SVC_TEST_STORES` is `slow-memory` or `slow-sqlite` where a test file runs the tests of a room once more.
 */

import { deliveryPlugin as deliveryOfProduct, deliveryOver } from '../../plugins/gateway/delivery/index.ts';
import { createMemoryOutbox, createMemoryOwners } from '../../plugins/gateway/delivery/memory-store.ts';
import { jobsPlugin as jobsOfProduct, jobsOver } from '../../plugins/jobs/index.ts';
import { createMemoryStore } from '../../plugins/jobs/memory-store.ts';
import { openDriver } from '../../plugins/jobs/persistence.ts';
import type { JobStore } from '../../plugins/jobs/store.ts';
import { mcpPlugin as mcpOfProduct, mcpOver } from '../../plugins/mcp/index.ts';
import { createMemorySessions } from '../../plugins/mcp/sessions/memory-store.ts';
import { resourcesPlugin as resourcesOfProduct, resourcesOver } from '../../plugins/resources/index.ts';
import { createMemorySubscriptions } from '../../plugins/resources/memory-store.ts';
import { slow } from './slow.ts';

const stores = process.env.SVC_TEST_STORES;

const slowJobs = jobsOver(async deps => {
  const opened = await openDriver(deps);
  if (opened) return { ...opened, store: slow(opened.store) };
  if (stores !== 'slow-memory') return undefined;
  return { store: slow<JobStore>(createMemoryStore(deps.config.max_kept_jobs)), kindOf: () => 'backend' };
});

export const jobsPlugin = stores ? slowJobs : jobsOfProduct;
export const mcpPlugin = stores ? mcpOver(() => slow(createMemorySessions())) : mcpOfProduct;
export const resourcesPlugin = stores ? resourcesOver(() => slow(createMemorySubscriptions())) : resourcesOfProduct;
export const deliveryPlugin = stores
  ? deliveryOver(() => ({ owners: slow(createMemoryOwners()), outbox: slow(createMemoryOutbox()) }))
  : deliveryOfProduct;
