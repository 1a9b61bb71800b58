import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../kernel/index.ts';
import { bundled } from '../../bundled.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { type Client, connect, rig } from './support.ts';

const rounds = 4;

async function startServer(path: string): Promise<{ child: ChildProcess; client: Client }> {
  const script = await bundled('test/plugins/jobs/killed-server.ts');
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, [script, path], { cwd: packageRoot, stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (!child.stdout) throw new Error('no stdout');
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, client: await connect(`http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('kill -9 in the middle of a job: its row reads interrupted with the text "server restart", the lease is free', async () => {
  const path = join(await tempDir(), 'jobs.db');
  const { child, client } = await startServer(path);
  const { job_id } = await client.value('slow', { ms: 60_000 });
  await expect.poll(async () => (await client.value('jobs_get_status', { job_id })).status).toBe('running');
  await kill(child);
  const next = await rig({ job_storage_path: path });
  expect(await next.client.value('jobs_get_status', { job_id })).toMatchObject({
    status: 'interrupted',
    error: 'server restart',
    tool: 'slow',
  });
}, 30_000);

test(`kill -9 at random moments under load, ${rounds} rounds: no acknowledged job is lost, the store opens every time`, async () => {
  const path = join(await tempDir(), 'jobs.db');
  const receipts = new Set<string>();
  const finished = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const { child, client } = await startServer(path);
    const work = async (): Promise<void> => {
      for (;;) {
        const { job_id } = await client.value('slow', { ms: Math.random() * 20 });
        receipts.add(String(job_id));
        const { status } = await client.value('jobs_get_status', { job_id });
        if (status === 'completed') finished.add(String(job_id));
      }
    };
    // Every worker ends with the connection that the kill breaks.
    const load = Promise.allSettled(Array.from({ length: 8 }, work));
    const before = receipts.size;
    await waitFor(() => receipts.size > before + 8, 'the load');
    await new Promise(resolve => setTimeout(resolve, 100 + Math.random() * 300));
    await kill(child);
    await load;
  }
  const next = await rig({ job_storage_path: path });
  await next.app.close();
  const rows = new Sqlite(path, { readonly: true }).prepare('SELECT job_id, status FROM jobs').all() as {
    job_id: string;
    status: string;
  }[];
  const states = new Map(rows.map(each => [each.job_id, each.status]));
  expect(receipts.size).toBeGreaterThan(20);
  expect([...receipts].filter(each => !states.has(each))).toEqual([]);
  expect([...finished].filter(each => states.get(each) !== 'completed')).toEqual([]);
  expect([...new Set(states.values())].sort()).toEqual(expect.arrayContaining(['completed']));
  expect([...states.values()].filter(each => each === 'pending' || each === 'running')).toEqual([]);
}, 60_000);
