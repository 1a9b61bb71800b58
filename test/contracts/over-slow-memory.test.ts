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

describe('sessions', async () => {
  await import('../plugins/mcp/lifecycle.test.ts');
  await import('../plugins/mcp/batch.test.ts');
  await import('../plugins/mcp/streams.test.ts');
  await import('../plugins/mcp/methods.test.ts');
  await import('../plugins/mcp/input.test.ts');
});

describe('subscriptions', async () => {
  await import('../plugins/resources/subscribe.test.ts');
});

describe('call owners and outbox', async () => {
  await import('../plugins/gateway/delivery/delivery.test.ts');
});
