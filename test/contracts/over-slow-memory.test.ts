/** What the rooms that keep state promise, once more over drivers that answer later: nothing may count on an answer at once. */
import { describe } from 'vitest';

process.env.SVC_TEST_STORES = 'slow-memory';

describe('jobs', async () => {
  await import('../plugins/jobs/lifecycle.test.ts');
  await import('../plugins/jobs/cancel.test.ts');
  await import('../plugins/jobs/admission.test.ts');
  await import('../plugins/jobs/routes.test.ts');
  await import('../plugins/jobs/tools.test.ts');
  await import('../plugins/jobs/notifications/notifications.test.ts');
  await import('../plugins/jobs/workflows/workflows.test.ts');
});
