/** Jobs that outlive their server: storage, recovery, retention, the lease. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { definePlugin, packageRoot } from '../../kernel/index.ts';
import type { ServerOptions } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { tempDir } from '../helper.ts';
import { quiet, startConnected, startServer } from './fixture.ts';
import { recordOf } from './jobs-fixture.ts';
import { verifies } from './verifies.ts';

const storePath = async (): Promise<string> => join(await tempDir(), 'jobs.db');

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
    const path = await leftBehind(longAgo, 'pending', 'running', 'completed');
    const { client, log } = await startOn(path, { job_recovery: 'requeue' });
    for (const job_id of ['was-pending', 'was-running']) {
      const record = await recordOf(client, job_id);
      expect(record).toMatchObject({ status: 'interrupted', error: 'server restart', completed_at: record.updated_at });
    }
    expect((await recordOf(client, 'was-completed')).status).toBe('completed');
    expect(log()).toMatch(/"requested_policy":"requeue","effective_policy":"drop"/);
    const dropping = await startOn(await leftBehind(longAgo, 'pending'));
    expect(dropping.log()).not.toMatch(/requeue/);
  });
});
