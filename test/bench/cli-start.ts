/** `svc-cli` from its start to its output, against the start of Node itself. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testEnv } from '../environment.ts';
import { type Bench, interleave, ms, ratio } from './bench.ts';
import { builtFile } from './peer.ts';

const run = promisify(execFile);
const client = builtFile('svc-cli.js');

export const cliStart: Bench = {
  name: 'cli-start',
  title: 'svc-cli from start to output',
  run: async ({ rounds }) => {
    const XDG_STATE_HOME = await mkdtemp(join(tmpdir(), 'svc-cli-start-'));
    const env = { ...process.env, ...testEnv, XDG_STATE_HOME };
    const args = [builtFile('svc-server.js'), 'gateway', '--json', '--port', '0'];
    const gateway = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await new Promise(resolve => gateway.stdout.once('data', resolve));
      const took = async (...words: string[]): Promise<number> => {
        const started = performance.now();
        const { stdout } = await run(process.execPath, words, { env });
        if (words.includes('instances') && !stdout.includes('"total":0')) throw new Error('it found no gateway');
        return performance.now() - started;
      };
      const found = await interleave(
        {
          instances: () => took(client, 'instances'),
          version: () => took(client, 'version'),
          node: () => took('-e', '0'),
        },
        Math.max(15, rounds),
      );
      return (['instances', 'version'] as const).map(each => ({
        what: `svc-cli ${each} against node -e 0`,
        ours: ms(found[each]),
        other: ms(found.node),
        figure: ratio(found[each] / found.node),
        target: '<= 3.5x',
      }));
    } finally {
      gateway.kill('SIGKILL');
      await rm(XDG_STATE_HOME, { recursive: true, force: true });
    }
  },
};
