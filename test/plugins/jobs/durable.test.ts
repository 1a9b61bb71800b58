import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { JobRow } from '../../../plugins/jobs/api.ts';
import { createLedger } from '../../../plugins/jobs/ledger.ts';
import { createMemoryStore } from '../../../plugins/jobs/memory-store.ts';
import { kindOf } from '../../../plugins/storage/failure.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { type Fields, gate, rig, tool } from './support.ts';

const asyncTool = { execution: 'async' } as const;
const health = async (url: string) =>
  ((await (await fetch(`${url}/health`)).json()) as { job_persistence: Fields }).job_persistence;
const healthy = { state: 'healthy', consecutive_failures: 0, last_error_kind: null };

test('GET /health: job_persistence is not_configured without a path, healthy with one [spec:endpoint:health-jobs]', async () => {
  expect(await health((await rig()).url)).toEqual({ ...healthy, state: 'not_configured' });
  const { url } = await rig({ job_storage_path: join(await tempDir(), 'a', 'b', 'jobs.db') });
  expect(await health(url)).toEqual(healthy);
});

test('every transition is written through, and a finished job outlives the server [spec:config:job-storage]', async () => {
  const job_storage_path = join(await tempDir(), 'jobs.db');
  const first = await rig({ job_storage_path });
  const door = gate();
  first.publish(tool('work', door.handler, asyncTool));
  const { job_id } = await first.client.value('work', { n: 1 });
  const reader = new Sqlite(job_storage_path, { readonly: true });
  const status = () => reader.prepare('SELECT status FROM jobs WHERE job_id = ?').pluck().get(job_id);
  expect(['pending', 'running']).toContain(status());
  await waitFor(() => door.running === 1, 'running');
  expect(status()).toBe('running');
  door.open();
  const record = await first.ended(job_id);
  expect(status()).toBe('completed');
  reader.close();
  await first.app.close();

  const second = await rig({ job_storage_path });
  expect(await second.client.value('jobs_get_status', { job_id })).toEqual(record);
  expect(await second.client.value('jobs_cleanup', { older_than_hours: 0 })).toMatchObject({ removed: 1 });
  expect((await second.client.call('jobs_get_status', { job_id })).result?.isError).toBe(true);
});

test('startup pruning: terminal rows older than job_retention_hours are removed; a failure shows in the health [spec:job-state:retention spec:job-state:retention-failure]', async () => {
  const job_storage_path = join(await tempDir(), 'jobs.db');
  const first = await rig({ job_storage_path });
  first.publish(tool('quick', async () => ({}), asyncTool));
  const { job_id } = await first.client.value('quick');
  await first.ended(job_id);
  await first.app.close();
  const writer = new Sqlite(job_storage_path);
  writer.exec(
    "INSERT INTO jobs (job_id, tool, status, created_at, updated_at) VALUES ('old', 't', 'failed', '2020', '2020')",
  );
  writer.exec("CREATE TRIGGER keep BEFORE DELETE ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END");
  writer.close();

  const stuck = await rig({ job_storage_path, job_retention_hours: 1 });
  expect(await health(stuck.url)).toMatchObject({ state: 'degraded', last_error_kind: 'retention_prune_failed' });
  expect(await stuck.app.jobs.get('old')).toBeDefined();
  expect((await stuck.client.call('jobs_cleanup', { older_than_hours: 0 })).result?.content?.[0]?.text).toContain(
    'job store',
  );
  expect(await stuck.app.jobs.get('old')).toBeDefined();
  await stuck.app.close();
  const fixed = new Sqlite(job_storage_path);
  fixed.exec('DROP TRIGGER keep');
  const insert = fixed.prepare(
    "INSERT INTO jobs (job_id, tool, status, created_at, updated_at) VALUES (?, 't', ?, '2020', '2020')",
  );
  insert.run('older', 'completed');
  insert.run('live', 'running');
  fixed.close();

  const second = await rig({ job_storage_path, job_retention_hours: 1 });
  const statuses = ['old', 'older', 'live', String(job_id)].map(async id => (await second.app.jobs.get(id))?.status);
  expect(await Promise.all(statuses)).toEqual([undefined, undefined, 'interrupted', 'completed']);
  expect(await health(second.url)).toEqual(healthy);
});

test('a store that fails while running: jobs go on in memory, what was missed follows, three failures disable it', async () => {
  const job_storage_path = join(await tempDir(), 'jobs.db');
  const { client, publish, ended, url } = await rig({ job_storage_path });
  publish(tool('quick', async () => ({}), asyncTool));
  const other = new Sqlite(job_storage_path);
  other.exec("CREATE TRIGGER stop BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END");
  const first = await client.value('quick');
  expect((await ended(first.job_id)).status).toBe('completed');
  expect(await health(url)).toEqual({ state: 'degraded', consecutive_failures: 2, last_error_kind: 'backend' });
  other.exec('DROP TRIGGER stop');
  const second = await client.value('quick');
  await ended(second.job_id);
  expect(await health(url)).toEqual(healthy);
  const states = () => other.prepare('SELECT status FROM jobs').pluck().all();
  expect(states()).toEqual(['completed', 'completed']);

  other.exec("CREATE TRIGGER stop BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END");
  for (let n = 0; n < 2; n += 1)
    expect(await ended((await client.value('quick')).job_id)).toMatchObject({ status: 'completed' });
  expect(await health(url)).toMatchObject({ state: 'disabled', consecutive_failures: 3 });
  expect(states()).toHaveLength(2);
  other.close();
});

test('kinds of failure, as the health reports them', () => {
  const kind = (code: string) => kindOf(Object.assign(new Error('x'), { code }));
  expect(kind('SQLITE_READONLY_DBMOVED')).toBe('readonly');
  expect(kind('SQLITE_BUSY')).toBe('busy');
  expect(kind('SQLITE_FULL')).toBe('disk_full');
  expect(kind('ENOSPC')).toBe('disk_full');
  expect(kind('SQLITE_CORRUPT')).toBe('decode');
  expect(kind('SQLITE_IOERR_SHMMAP')).toBe('wal');
  expect(kind('SQLITE_ERROR')).toBe('backend');
  expect(kindOf(undefined)).toBe('backend');
});

test('failures of different kinds do not add up; one warning only', () => {
  const codes = ['SQLITE_BUSY', 'SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_BUSY'];
  const warnings: unknown[] = [];
  const fail = () => {
    throw Object.assign(new Error('x'), { code: codes.shift() });
  };
  const log = (...given: unknown[]) => void warnings.push(given);
  const ledger = createLedger({
    memory: createMemoryStore(10),
    driver: { store: { ...createMemoryStore(10), save: fail }, kindOf },
    log: { warn: log, error: log } as never,
  });
  const row = { job_id: 'j', status: 'running', updated_at: '2026' } as JobRow;
  for (let n = 0; n < 4; n += 1) expect(ledger.save(row)).toBeUndefined();
  expect(ledger.health()).toEqual({ state: 'degraded', consecutive_failures: 1, last_error_kind: 'busy' });
  expect([ledger.get('j'), warnings.length]).toEqual([row, 1]);
});
