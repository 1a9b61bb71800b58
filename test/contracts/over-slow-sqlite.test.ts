/** Durable jobs, once more over SQLite behind a driver that answers later. */
process.env.SVC_TEST_STORES = 'slow-sqlite';

await import('../plugins/jobs/durable.test.ts');
await import('../plugins/jobs/kill.test.ts');
