/** `svc-server status` with a server and the gateway running, against the start of Node itself. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnv } from '../environment.ts';
import { type Bench, interleave, ms, ratio } from './bench.ts';
import { builtFile } from './peer.ts';

const run = promisify(execFile);
const program = builtFile('svc-server.js');

export const status: Bench = {
  name: 'status',
  title: 'svc-server status',
  run: async ({ rounds }) => {
    const XDG_STATE_HOME = await mkdtemp(join(tmpdir(), 'svc-status-'));
    const env = { ...process.env, ...testEnv, XDG_STATE_HOME };
    const children = [
      ['serve', '--json'],
      ['gateway', '--json', '--port', '0'],
    ].map(args => spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] }));
    try {
      await Promise.all(children.map(each => new Promise(resolve => each.stdout.once('data', resolve))));
      const took = async (args: readonly string[]): Promise<number> => {
        const started = performance.now();
        const { stdout } = await run(process.execPath, [...args], { env });
        if (args.includes('status') && stdout.split('\n').length < 3) throw new Error('it does not show what runs');
        return performance.now() - started;
      };
      const found = await interleave(
        { svc: () => took([program, 'status']), node: () => took(['-e', '0']) },
        Math.max(15, rounds),
      );
      const what = 'svc-server status against node -e 0';
      return [
        { what, ours: ms(found.svc), other: ms(found.node), figure: ratio(found.svc / found.node), target: '<= 2.5x' },
      ];
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await rm(XDG_STATE_HOME, { recursive: true, force: true });
    }
  },
};
