/** Durable jobs of ours, and the same rows written by prepared statements, each into a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';
import { buildApp, resolveConfig } from '../../../kernel/index.ts';
import { serverSettings } from '../../../plugins/index.ts';
import type { JobRow } from '../../../plugins/jobs/api.ts';
import { jobsPlugin } from '../../../plugins/jobs/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { searchPlugin } from '../../../plugins/search/index.ts';
import { storagePlugin } from '../../../plugins/storage/index.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { serveCommands } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const options = { log_level: 'silent', job_storage_path: join(folder, 'ours.db'), max_pending_jobs: 100_000 } as const;
const config = resolveConfig(options, {}, {}, await serverSettings());
const app = buildApp(config, [searchPlugin, storagePlugin, mcpPlugin, toolsPlugin, jobsPlugin]);
await app.ready();

const sqlite = new Sqlite(join(folder, 'bare.db'));
sqlite.pragma('journal_mode = WAL');
sqlite.pragma('synchronous = NORMAL');
sqlite.exec(
  `CREATE TABLE jobs (job_id TEXT PRIMARY KEY NOT NULL, parent_job_id TEXT, tool TEXT NOT NULL, status TEXT NOT NULL,
    progress_json TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, started_at TEXT, completed_at TEXT,
    error TEXT, result_json TEXT, output_json TEXT);
  CREATE INDEX jobs_status ON jobs (status);
  CREATE INDEX jobs_parent_job_id ON jobs (parent_job_id);
  CREATE INDEX jobs_updated_at ON jobs (updated_at);`,
);
const insert = sqlite.prepare(
  'INSERT INTO jobs (job_id, parent_job_id, tool, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
);
const begin = sqlite.prepare('UPDATE jobs SET status = ?, updated_at = ?, started_at = ? WHERE job_id = ?');
const end = sqlite.prepare(
  'UPDATE jobs SET status = ?, updated_at = ?, completed_at = ?, result_json = ? WHERE job_id = ?',
);

/** Rows of the newest jobs of ours, for the other side to write. */
let rows: JobRow[] = [];

serveCommands('job-store:', {
  /** Jobs per second, each with its three transitions. */
  async ours(count: number) {
    const ended: JobRow[] = [];
    const done = new Promise<void>(resolve => {
      const unfollow = app.kernel.bus.on('job.updated', async ({ attributes: { job_id, completed_at } }) => {
        if (completed_at === null) return;
        const row = await app.jobs.get(job_id);
        if (row) ended.push(row);
        if (ended.length < count) return;
        void unfollow();
        resolve();
      });
    });
    const result = { content: [{ type: 'text', text: '{"done":true}' }], structuredContent: { done: true } };
    const began = performance.now();
    for (let index = 0; index < count; index += 1) app.jobs.submit({ tool: 'bench', run: async () => result });
    await done;
    const took = performance.now() - began;
    rows = ended;
    if (ended.some(each => each.status !== 'completed')) throw new Error('a job failed');
    return (count / took) * 1000;
  },
  bare(count: number) {
    sqlite.exec('DELETE FROM jobs');
    const began = performance.now();
    for (const row of rows.slice(0, count)) {
      const { job_id, parent_job_id, tool, created_at, started_at, updated_at, completed_at, result } = row;
      insert.run(job_id, parent_job_id, tool, 'pending', created_at, created_at);
      begin.run('running', started_at, started_at, job_id);
      end.run('completed', updated_at, completed_at, result, job_id);
    }
    return (count / (performance.now() - began)) * 1000;
  },
});
process.on('SIGTERM', async () => {
  await app.close();
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
