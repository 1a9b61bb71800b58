/** A real application with our add-on installed in folders of its own, and a client of it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram } from '../../kernel/index.ts';
import { builtFile } from '../bench/peer.ts';
import { freePort } from '../free-port.ts';
import { cleanEnvironment, until } from '../processes.ts';
import { connect, type Json, type Wire } from '../spec/wire.ts';

export type Step = (name: string, work: () => Promise<void>) => Promise<void>;

export interface Application {
  name: string;
  /** The program that is not there. */
  missing(): Promise<string | undefined>;
  run(step: Step): Promise<void>;
}

export interface Started {
  directory: string;
  child: ChildProcess;
  client: Wire;
  url: string;
  rows(): Promise<string[]>;
}

export async function missingOf(programs: readonly string[]): Promise<string | undefined> {
  for (const each of programs) if (!(await findProgram(each, process.env))) return each;
  return undefined;
}

/** Installs the add-on, starts what `commandOf` says and calls `work` once it is connected. */
export async function withApplication(
  kind: 'blender' | 'freecad',
  commandOf: (addons: string) => { command: readonly string[]; env: Record<string, string>; addons: string },
  work: (started: Started) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), `svc-${kind}-`));
  const { command, env, addons } = commandOf(directory);
  const registry = join(directory, 'registry');
  const port = await freePort();
  await promisify(execFile)(process.execPath, [builtFile('svc-server.js'), 'host', '--install', kind, '--to', addons]);
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...cleanEnvironment(),
      ...env,
      HOME: directory,
      SVC_REGISTRY_DIR: registry,
      SVC_HOST_OPTIONS: JSON.stringify({ port, gateway_port: 0, bundled_skills: false }),
    },
  });
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    await until(new URL('/health', url).href, text => text.includes('"host"'));
    const client = await connect(url, { protocolVersion: '2025-06-18' });
    const rows = () => readdir(join(registry, 'instances')).catch(() => [] as string[]);
    await work({ directory, child, client, url, rows });
  } finally {
    if (child.pid !== undefined) {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    await sleep(500);
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** The result of a job, once it has ended. */
export async function finished(client: Wire, job: Json, seconds: number): Promise<Json> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const told = await client.callJson('jobs_get_status', { job_id: job.job_id, include_result: true });
    if (!['pending', 'running'].includes(String(told.status))) return told;
    await sleep(100);
  }
  throw new Error(`the job did not end within ${seconds} s`);
}

export const eventually = async (
  what: string,
  seconds: number,
  fits: () => Promise<boolean> | boolean,
): Promise<void> => {
  const end = Date.now() + seconds * 1000;
  while (!(await fits())) {
    if (Date.now() >= end) throw new Error(`${what} did not come about within ${seconds} s`);
    await sleep(20);
  }
};
