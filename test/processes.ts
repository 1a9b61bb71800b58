/** The built programs as processes, for runs that are no vitest: in a registry folder of their own, ended together. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from './bench/peer.ts';
import { freePort } from './free-port.ts';

export interface Told {
  mcp_url: string;
  instance_id: string | null;
  pid: number;
}

export interface Processes {
  /** Folder that is gone after `stop`. */
  readonly directory: string;
  /** Port of the gateway, which answers. */
  readonly gatewayPort: number;
  start(file: string, args: readonly string[]): ChildProcess;
  /** Starts `svc-server serve` beside the gateway; resolves when the gateway knows it. */
  serve(args: readonly string[]): Promise<Told>;
  stop(): Promise<void>;
}

/** Nothing of the developer's own settings, and nothing of the script that runs this. */
export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(SVC_|NODE_|npm_(package|lifecycle|config_local_prefix))/.test(name),
    ),
  );

/** A gateway as a process, and what is started beside it; `more` is added to their environment. */
export async function startGateway(
  prefix: string,
  more: (directory: string) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv> = () => ({}),
): Promise<Processes> {
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const children: ChildProcess[] = [];
  const env: NodeJS.ProcessEnv = { ...cleanEnvironment(), SVC_REGISTRY_DIR: directory, ...(await more(directory)) };
  const program = builtFile('svc-server.js');
  const gatewayPort = await freePort();
  const start = (file: string, args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) await ended(child);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    start(program, ['gateway', '--port', String(gatewayPort), '--log-level', env.SVC_LOG_LEVEL ?? 'error']);
    const origin = `http://127.0.0.1:${gatewayPort}`;
    await until(`${origin}/health`, () => true);
    return {
      directory,
      gatewayPort,
      start,
      async serve(args) {
        const told = await line(start(program, ['serve', '--json', '--gateway-port', String(gatewayPort), ...args]));
        await until(`${origin}/v1/instances`, text => text.includes(String(told.instance_id)));
        return told;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function loadSkill(mcpUrl: string, skill: string): Promise<void> {
  const answer = await fetch(new URL('/v1/load_skill', mcpUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ skill_name: skill }),
  });
  if (!answer.ok) throw new Error(`the skill ${skill} cannot be loaded: ${await answer.text()}`);
}

/** The one line of JSON that a program prints when it listens. */
export function line(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', chunk => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text) as Told);
    });
    child.once('exit', code => reject(new Error(`a server ended with code ${code} before it listened`)));
  });
}

/** Waits until `url` answers with what fits. */
export async function until(
  url: string,
  fits: (text: string) => boolean,
  headers: Record<string, string> = {},
): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const text = await fetch(url, { headers: { accept: 'application/json', ...headers } }).then(
      answer => answer.text(),
      () => undefined,
    );
    if (text !== undefined && fits(text)) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer as it should within 30 s`);
}

/** Installs what the lock file of `folder` says. */
export async function installLocked(folder: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: folder, env: cleanEnvironment() });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
    child.once('exit', () => {
      clearTimeout(patience);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
