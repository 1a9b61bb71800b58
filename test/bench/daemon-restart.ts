/** kill -9 of the gateway daemon to serving again, ensured by the guardian of one server with its default settings. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { type Bench, median, ms } from './bench.ts';
import { builtFile } from './peer.ts';

const limitMs = 12_000;
const giveUpMs = 30_000;

interface Daemon {
  pid: number;
}

export const daemonRestart: Bench = {
  name: 'daemon-restart',
  title: 'kill -9 of the gateway daemon to serving again, default guardian settings',
  rounds: 5,
  async run({ rounds }) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const port = await freePort();
    const args = ['serve', '--json', '--gateway-port', String(port), '--registry-dir', folder];
    const server = spawn(process.execPath, [builtFile('svc-server.js'), ...args], { stdio: 'ignore' });
    const took: number[] = [];
    let daemon: Daemon | undefined;
    try {
      daemon = await serving(folder, port, undefined);
      for (let round = 0; round < rounds; round += 1) {
        // At any moment between two probes.
        await sleep(Math.random() * 5000);
        const started = performance.now();
        process.kill(daemon.pid, 'SIGKILL');
        daemon = await serving(folder, port, daemon.pid);
        took.push(performance.now() - started);
      }
    } finally {
      await end(server);
      if (daemon) process.kill(daemon.pid, 'SIGKILL');
      await sleep(200);
      await rm(folder, { recursive: true, force: true });
    }
    const back = took.filter(each => each <= limitMs).length;
    return [
      {
        what: 'back within 12 s',
        ours: `${back} of ${rounds}`,
        figure: `${back} of ${rounds}`,
        target: `${rounds} of ${rounds}`,
      },
      { what: 'longest', ours: ms(Math.max(...took)), figure: ms(Math.max(...took)), target: `<= ${limitMs} ms` },
      { what: 'median', ours: ms(median(took)), figure: ms(median(took)), target: '' },
    ];
  },
};

/** Resolves when a daemon other than `former` answers. */
async function serving(folder: string, port: number, former: number | undefined): Promise<Daemon> {
  const manifest = join(folder, `gateway-autolaunch-${port}.json`);
  for (const end = Date.now() + giveUpMs; Date.now() < end; await sleep(20)) {
    const answered = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (!answered?.ok) continue;
    const { pid } = JSON.parse(await readFile(manifest, 'utf8')) as Daemon;
    if (pid !== former) return { pid };
  }
  throw new Error(`no gateway answered within ${giveUpMs} ms`);
}

async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise(resolve => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}
