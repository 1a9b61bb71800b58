/** Process start to listening of the built program, against the start of Node itself; then its memory at rest. */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { testEnv } from '../environment.ts';
import { type Bench, interleave, median, ms, ratio } from './bench.ts';
import { builtFile } from './peer.ts';

const run = promisify(execFile);
const idleMs = 3000;

interface Started {
  took: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the program and resolves when its line says that it listens. */
async function startProgram(): Promise<Started> {
  const started = performance.now();
  const child = spawn(process.execPath, [builtFile('svc-server.js'), 'serve', '--json', '--no-auto-gateway'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...testEnv },
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"listening"')) continue;
    const took = performance.now() - started;
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    return { took, pid: child.pid ?? 0, stop };
  }
  throw new Error('svc-server ended before it listened');
}

const startToListening = async (): Promise<number> => {
  const { took, stop } = await startProgram();
  await stop();
  return took;
};

const startOfNode = async (): Promise<number> => {
  const started = performance.now();
  await run(process.execPath, ['-e', '0']);
  return performance.now() - started;
};

/** Resident memory in MiB, as the operating system counts it. */
async function residentMemory(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) / 1024;
}

export const startup: Bench = {
  name: 'startup',
  title: 'process start to listening, and idle memory',
  run: async ({ rounds }) => {
    const found = await interleave({ svc: startToListening, node: startOfNode }, Math.max(11, rounds));
    const idle: number[] = [];
    for (let sample = 0; sample < 3; sample += 1) {
      const { pid, stop } = await startProgram();
      await new Promise(resolve => setTimeout(resolve, idleMs));
      idle.push(await residentMemory(pid));
      await stop();
    }
    const memory = `${median(idle).toFixed(1)} MiB`;
    return [
      {
        what: 'start to listening against node -e 0',
        ours: ms(found.svc),
        other: ms(found.node),
        figure: ratio(found.svc / found.node),
        target: '<= 4.5x',
      },
      { what: `resident after ${idleMs} ms`, ours: memory, figure: memory, target: '<= 110 MiB' },
    ];
  },
};
