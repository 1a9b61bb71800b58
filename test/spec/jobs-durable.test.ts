/** Jobs that outlive their server: storage, recovery, retention, the lease. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { definePlugin, packageRoot } from '../../kernel/index.ts';
import type { ServerOptions } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { tempDir } from '../helper.ts';
import { createServer, quiet, startConnected, startServer } from './fixture.ts';
import { ended, launch, recordOf, serveJobs } from './jobs-fixture.ts';
import { verifies } from './verifies.ts';
import type { Json } from './wire.ts';

const storePath = async (): Promise<string> => join(await tempDir(), 'jobs.db');

const health = async (url: string): Promise<Json> =>
  (await (await fetch(new URL('/health', url))).json()) as Promise<Json>;

/** A store as a previous run left it: one row per state, last changed at `updated`. */
async function leftBehind(updated: string, ...states: string[]): Promise<string> {
  const path = await storePath();
  await (await startServer({ job_storage_path: path })).service.shutdown();
  const database = new Sqlite(path);
  const insert = database.prepare(
    "INSERT INTO jobs (job_id, tool, status, created_at, updated_at) VALUES (?, 'render', ?, ?, ?)",
  );
  for (const state of states) insert.run(`was-${state}`, state, updated, updated);
  database.close();
  return path;
}

/** Starts on a store; with every change of a job that the start made, and what was logged. */
async function startOn(job_storage_path: string, options: ServerOptions = {}) {
  const changes: string[] = [];
  const events: string[] = [];
  let log = (): string => '';
  const spy = definePlugin({ name: 'spy', dependencies: ['jobs'] }, (_, { kernel }) => {
    kernel.bus.on('job.updated', ({ attributes: { job_id, status, error } }) => {
      changes.push(`${job_id} ${status}`);
      events.push(`${job_id} ${error}`);
    });
    log = () => kernel.logTail(100).join('\n');
  });
  const started = await startServer({ job_storage_path, log_level: 'warn', ...options }, undefined, [spy]);
  return { ...started, client: await started.connect(), changes, events, log };
}

const longAgo = '2020-01-01T00:00:00.000Z';

describe('storage', () => {
  verifies(['config:job-storage', 'endpoint:health-jobs'], 'a finished job outlives the server', async () => {
    const job_storage_path = await storePath();
    const first = await serveJobs({ work: [args => args] }, { job_storage_path });
    const record = await ended(first.client, await launch(first.client, 'work', { n: 1 }));
    const { job_persistence } = await health(first.service.mcpUrl());
    expect(job_persistence).toMatchObject({ state: 'healthy' });
    // Payload-safe: it names neither the store nor a job.
    expect(JSON.stringify(job_persistence)).not.toMatch(/jobs\.db|work/);
    await first.service.shutdown();
    const second = await startConnected({ job_storage_path });
    expect(await recordOf(second.client, String(record.job_id))).toEqual(record);
    const without = await startConnected();
    expect((await health(without.service.mcpUrl())).job_persistence).toMatchObject({ state: 'not_configured' });
    expect(await recordOf(without.client, String(record.job_id))).toEqual({});
  });

  verifies(['error:job-storage'], 'without persistence a path fails start, and memory does not stand in', async () => {
    const server = createServer(
      { ...quiet, job_storage_path: 'jobs.db' },
      { env: testEnv, plugins: { storage: false } },
    );
    await expect(server.start()).rejects.toThrow(/job_storage_path.*storage/);
    const folder = await tempDir();
    for (const [name, prepare] of [
      ['directory', (path: string) => mkdir(path)],
      ['rubbish', (path: string) => writeFile(path, 'this is no database, however long it is '.repeat(100))],
    ] as const) {
      const path = join(folder, name);
      await prepare(path);
      await expect(startServer({ job_storage_path: path }), name).rejects.toThrow(name);
    }
    expect(await readFile(join(folder, 'rubbish'), 'utf8')).toMatch(/^this is no database/);
  });

  verifies(['error:job-lease'], 'a second process on the same store fails closed', async () => {
    const job_storage_path = await storePath();
    const { client } = await startConnected({ job_storage_path });
    const entry = pathToFileURL(join(packageRoot, 'plugins', 'index.ts')).href;
    const program = `
      const { createServer } = await import(${JSON.stringify(entry)});
      const server = createServer(${JSON.stringify({ ...quiet, job_storage_path })}, { env: ${JSON.stringify(testEnv)} });
      await server.start().then(() => 'started', error => error.message).then(told => process.stdout.write(told));
      process.exit();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program],
      { cwd: packageRoot, timeout: 60_000 },
    );
    expect(stdout).toContain(`${job_storage_path}.lock`);
    expect(stdout).toMatch(/in use by another process/);
    expect(await client.result('ping')).toEqual({});
  });
});

describe('after a restart', () => {
  verifies(
    ['job-state:restart-drop', 'job-state:restart-told'],
    'unfinished jobs are interrupted and told',
    async () => {
      const path = await leftBehind(longAgo, 'pending', 'running', 'completed', 'cancelled');
      const { client, changes, events } = await startOn(path);
      for (const job_id of ['was-pending', 'was-running']) {
        const record = await recordOf(client, job_id);
        expect(record).toMatchObject({ status: 'interrupted', error: 'server restart' });
        expect(record.completed_at).toBe(record.updated_at);
      }
      for (const state of ['completed', 'cancelled']) {
        expect(await recordOf(client, `was-${state}`)).toMatchObject({ status: state, updated_at: longAgo });
      }
      expect(changes.sort()).toEqual(['was-pending interrupted', 'was-running interrupted']);
      expect(events.sort()).toEqual(['was-pending server restart', 'was-running server restart']);
    },
  );

  verifies(['job-state:restart-requeue'], 'requeue behaves as drop and warns', async () => {
    const path = await leftBehind(longAgo, 'pending', 'running');
    const { client, log } = await startOn(path, { job_recovery: 'requeue' });
    for (const job_id of ['was-pending', 'was-running']) {
      expect(await recordOf(client, job_id)).toMatchObject({ status: 'interrupted', error: 'server restart' });
    }
    expect(log()).toMatch(/"requested_policy":"requeue","effective_policy":"drop"/);
    const dropping = await startOn(await leftBehind(longAgo, 'pending'));
    expect(dropping.log()).not.toMatch(/requeue/);
  });

  verifies(['job-state:retention'], 'old terminal rows are removed, young ones are not', async () => {
    const path = await leftBehind(longAgo, 'completed', 'failed', 'running');
    const { client } = await startOn(path, { job_retention_hours: 1 });
    expect(await recordOf(client, 'was-completed')).toEqual({});
    expect(await recordOf(client, 'was-failed')).toEqual({});
    expect(await recordOf(client, 'was-running')).toMatchObject({ status: 'interrupted' });
    const young = await leftBehind(new Date().toISOString(), 'completed');
    const kept = await startOn(young, { job_retention_hours: 1 });
    expect(await recordOf(kept.client, 'was-completed')).toMatchObject({ status: 'completed' });
  });

  verifies(['job-state:retention-failure'], 'a failed pruning changes nothing and shows in the health', async () => {
    const path = await leftBehind(longAgo, 'completed');
    const database = new Sqlite(path);
    database.exec("CREATE TRIGGER keep BEFORE DELETE ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END");
    database.close();
    const { client, service } = await startOn(path, { job_retention_hours: 1 });
    expect(await recordOf(client, 'was-completed')).toMatchObject({ status: 'completed' });
    expect((await health(service.mcpUrl())).job_persistence).toMatchObject({
      state: 'degraded',
      last_error_kind: 'retention_prune_failed',
    });
  });
});
