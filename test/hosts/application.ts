/** Real applications with our add-on installed in folders of their own, and a client of one. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
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

/** How an application is started whose add-ons stand in `addons`. */
export interface Command {
  command: readonly string[];
  env: Record<string, string>;
  addons: string;
  /** On a screen of its own. */
  window?: boolean;
}

/** A folder with a registry, an installed add-on, and what was started there. */
export interface World {
  directory: string;
  /** Starts an application whose server has these options. */
  start(command: Command, options: Json): ChildProcess;
  /** Files of the registry. */
  rows(): Promise<string[]>;
  /** What stands in the first of them. */
  row(): Promise<Row>;
}

export interface Row {
  instance_id: string;
  /** Of the server. */
  pid: number;
  host_pid: number;
}

export interface Started extends Omit<World, 'start'> {
  child: ChildProcess;
  client: Wire;
  url: string;
}

export async function missingOf(programs: readonly string[]): Promise<string | undefined> {
  for (const each of programs) if (!(await findProgram(each, process.env))) return each;
  return undefined;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Installs the add-on into a folder of its own; everything that was started in it has ended after `work`. */
export async function withWorld(
  kind: 'blender' | 'freecad',
  addonsOf: (directory: string) => string,
  work: (world: World) => Promise<void>,
): Promise<void> {
  // What people have: a home with a blank and letters that are not ASCII.
  const directory = await mkdtemp(join(tmpdir(), `svc ${kind} häß-`));
  const registry = join(directory, 'registry');
  const addons = addonsOf(directory);
  await promisify(execFile)(process.execPath, [builtFile('svc-server.js'), 'host', '--install', kind, '--to', addons]);
  const children: ChildProcess[] = [];
  const rows = async (): Promise<string[]> => {
    const names = await readdir(join(registry, 'instances')).catch(() => []);
    return names.filter(each => /^[^.].*\.json$/.test(each));
  };
  try {
    await work({
      directory,
      rows,
      row: async () => JSON.parse(await readFile(join(registry, 'instances', (await rows())[0] ?? ''), 'utf8')) as Row,
      start({ command, env, window = false }, options) {
        const own = { HOME: directory, SVC_REGISTRY_DIR: registry };
        // The screen's own script knows no folder with a blank.
        const args = [...(window ? ['xvfb-run', '-a'] : []), 'env', `TMPDIR=${directory}`, ...command];
        const settings = { SVC_HOST_OPTIONS: JSON.stringify({ bundled_skills: false, ...options }) };
        const child = spawn(args[0] ?? '', args.slice(1), {
          detached: true,
          stdio: ['ignore', 'ignore', 'ignore'],
          env: { ...cleanEnvironment(), ...env, ...own, ...settings },
        });
        children.push(child);
        return child;
      },
    });
  } finally {
    for (const { pid } of children) if (pid !== undefined) kill(-pid);
    const names = await readdir(registry).catch(() => [] as string[]);
    for (const name of names.filter(each => /^gateway-autolaunch-\d+\.json$/.test(each)))
      kill((JSON.parse(await readFile(join(registry, name), 'utf8')) as { pid: number }).pid);
    await sleep(500);
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** One application without a gateway; `work` is called once it is connected. */
export const withApplication = (
  kind: 'blender' | 'freecad',
  commandOf: (directory: string) => Command,
  work: (started: Started) => Promise<void>,
): Promise<void> =>
  withWorld(
    kind,
    directory => commandOf(directory).addons,
    async ({ start, ...world }) => {
      const port = await freePort();
      const child = start(commandOf(world.directory), { port, gateway_port: 0 });
      const url = `http://127.0.0.1:${port}/mcp`;
      await until(new URL('/health', url).href, text => text.includes('"host"'));
      await work({ ...world, child, url, client: await connect(url, { protocolVersion: '2025-06-18' }) });
    },
  );

/** The processes that render for an application of this folder. */
export const rendersOf = async (directory: string): Promise<string[]> =>
  (await promisify(execFile)('ps', ['-eo', 'args'])).stdout
    .split('\n')
    .filter(each => each.includes(directory) && each.includes('render_child.py'));

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
