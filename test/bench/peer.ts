/**
 * Servers under test, each a process of its own: its entry is bundled to plain JavaScript first, so that no TypeScript
 * loader runs in it or in its threads. A peer reports `{url}` when it listens and answers commands over IPC.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../kernel/index.ts';
import { testEnv } from '../environment.ts';

export interface Peer {
  readonly url: string;
  readonly pid: number;
  /** Runs a command of the peer and returns its answer. */
  ask<T = unknown>(command: string, params?: unknown): Promise<T>;
  stop(): Promise<void>;
}

interface Reply {
  id?: number;
  url?: string;
  value?: unknown;
  error?: string;
}

/** Path of a file of the built package; throws with what to do when there is none. */
export function builtFile(name: string): string {
  const file = join(packageRoot, 'dist', name);
  if (!existsSync(file)) throw new Error(`dist/${name} does not exist: run "npm run build" first`);
  return file;
}

/** Starts `test/bench/peers/<name>.ts` with `settings`. */
export async function startPeer(name: string, settings: Record<string, unknown> = {}): Promise<Peer> {
  const outfile = join(packageRoot, 'node_modules', '.cache', 'svc', 'bench', `${name}-${process.pid}.mjs`);
  await build({
    absWorkingDir: packageRoot,
    entryPoints: [join('test', 'bench', 'peers', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
  const child = fork(outfile, [JSON.stringify(settings)], {
    execArgv: [],
    env: { ...process.env, ...testEnv },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return attach(name, child);
}

async function attach(name: string, child: ChildProcess): Promise<Peer> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => {
      const error = new Error(`the peer ${name} ended with code ${code}`);
      reject(error);
      for (const each of waiting.values()) each.reject(error);
    });
    child.on('message', (reply: Reply) => {
      if (reply.url !== undefined) return resolve(reply.url);
      const asked = waiting.get(reply.id ?? 0);
      waiting.delete(reply.id ?? 0);
      if (reply.error === undefined) asked?.resolve(reply.value);
      else asked?.reject(new Error(`${name}: ${reply.error}`));
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    ask: <T>(command: string, params?: unknown) =>
      new Promise<T>((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve: resolve as (value: unknown) => void, reject });
        child.send({ id: lastId, command, params });
      }),
    stop: () =>
      new Promise(resolve => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** Runs `body` with peers that are stopped afterwards, whatever happens. */
export async function withPeers<T>(
  starts: readonly (() => Promise<Peer>)[],
  body: (...peers: Peer[]) => Promise<T>,
): Promise<T> {
  const peers: Peer[] = [];
  try {
    for (const start of starts) peers.push(await start());
    return await body(...peers);
  } finally {
    await Promise.all(peers.map(peer => peer.stop()));
  }
}
