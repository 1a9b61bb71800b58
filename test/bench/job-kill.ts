/** kill -9 at random moments under load: whatever a client was told must be in the store, and the store must open. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { connect } from '../spec/wire.ts';
import type { Bench } from './bench.ts';
import { builtFile, startPeer } from './peer.ts';

const workers = 8;
const terminal = ['completed', 'failed', 'cancelled', 'interrupted'];

/** What clients were told, by job: the newest state. */
type Told = Map<string, string>;

/** Serves, loads and kills one server; `torn` takes the jobs of which clients heard two ends. */
async function round(path: string, told: Told, torn: Set<string>): Promise<void> {
  const options = { job_storage_path: path };
  const svc = await startPeer('svc', { entry: builtFile('index.js'), options });
  try {
    const client = await connect(svc.url, { protocolVersion: '2025-06-18' });
    const tell = (id: unknown, status: unknown): void => {
      const before = told.get(String(id)) ?? '';
      if (!terminal.includes(before)) told.set(String(id), String(status));
      else if (terminal.includes(String(status)) && before !== status) torn.add(String(id));
    };
    const stream = await client.stream();
    const work = async (): Promise<void> => {
      for (;;) {
        const receipt = await client.call('job_work', { ms: Math.random() * 20 });
        const { job_id, status } = receipt.structuredContent as { job_id: string; status: string };
        tell(job_id, status);
        const polled = await client.call('jobs_get_status', { job_id });
        tell(job_id, (polled.structuredContent as { status: string }).status);
      }
    };
    // Every worker ends with the connection that the kill breaks.
    const load = Promise.allSettled(Array.from({ length: workers }, work));
    await new Promise(resolve => setTimeout(resolve, 50 + Math.random() * 400));
    process.kill(svc.pid, 'SIGKILL');
    await load;
    for (const { method, params } of stream.messages as { method?: string; params?: Record<string, unknown> }[]) {
      if (method === 'notifications/$/dcc.jobUpdated') tell(params?.job_id, params?.status);
    }
    stream.close();
  } finally {
    await svc.stop();
  }
}

export const jobKill: Bench = {
  name: 'job-kill',
  title: 'kill -9 at random moments under load',
  rounds: 10,
  async run({ rounds }) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const path = join(folder, 'jobs.db');
    const told: Told = new Map();
    const torn = new Set<string>();
    try {
      // A store that does not open ends the round, and with it the benchmark.
      for (let turn = 0; turn < rounds; turn += 1) await round(path, told, torn);
      const last = await startPeer('svc', { entry: builtFile('index.js'), options: { job_storage_path: path } });
      await last.stop();
      const database = new Sqlite(path, { readonly: true });
      const rows = database.prepare('SELECT job_id, status FROM jobs').all() as { job_id: string; status: string }[];
      // An index that disagrees with its table would show one row in two states.
      const damage = (database.pragma('integrity_check') as { integrity_check: string }[])
        .map(each => each.integrity_check)
        .filter(each => each !== 'ok');
      database.close();
      const stored = new Map(rows.map(each => [each.job_id, each.status]));
      const lost = [...told].filter(([id, status]) => {
        const kept = stored.get(id);
        return kept === undefined || (terminal.includes(status) && kept !== status);
      });
      const open = rows.filter(each => !terminal.includes(each.status)).length;
      const doubled = rows.length - stored.size + torn.size + damage.length;
      const row = (what: string, count: number) => ({
        what,
        ours: String(count),
        other: `of ${told.size} acknowledged`,
        figure: String(count),
        target: '0',
      });
      return [
        {
          what: 'rounds in which the store opened',
          ours: String(rounds),
          figure: String(rounds),
          target: String(rounds),
        },
        row('acknowledged transitions lost', lost.length),
        row('jobs in two states', doubled),
        row('jobs left unfinished', open),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
