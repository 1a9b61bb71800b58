/** A real host in a child process, whose main thread a test can block. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../plugins/index.ts';
import { bundled } from './bundled.ts';
import { type CallAnswer, callable, type Mode } from './server.ts';

export interface HostProcess {
  url: string;
  /** Blocks the main thread; resolves once it does. `ended` has the number of runs of `count` just after the block. */
  block(ms: number): Promise<{ ended: Promise<number> }>;
  /** Runs of `count` until now. */
  runs(): Promise<number>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<CallAnswer & { took_ms: number }>;
  ping(): Promise<number>;
}

/** Spawns the host; `then` says what it does once it is up. */
export async function spawnHost(
  mode: Mode,
  then?: 'shutdown' | 'signal' | 'leave' | 'hook',
  options: ServerOptions = {},
): Promise<ChildProcess> {
  const all = { spawn_mode: mode, log_level: 'silent', bundled_skills: false, watch_skills: false, ...options };
  const child = fork(
    await bundled('test/fixtures/host-process.ts'),
    [JSON.stringify({ options: all, plugins: callable, then })],
    {
      execArgv: [],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A dedicated server in a host that listens and obeys. */
export async function startHost(options: ServerOptions = {}, then?: 'hook'): Promise<HostProcess> {
  const child = await spawnHost('dedicated', then, options);
  const [{ mcp_url }] = (await once(child, 'message')) as [{ mcp_url: string }];
  const told = async (): Promise<number> => {
    const [{ runs }] = (await once(child, 'message')) as [{ runs: number }];
    return runs;
  };
  const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
    const started = performance.now();
    return [await work, performance.now() - started];
  };
  return {
    url: mcp_url,
    async block(ms) {
      child.send({ block_ms: ms });
      await once(child, 'message');
      return { ended: told() };
    },
    runs() {
      child.send({});
      return told();
    },
    async call(name, args = {}, signal) {
      const request = fetch(new URL('/call', mcp_url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, args }),
        signal: signal ?? null,
      });
      const [response, took_ms] = await timed(request);
      return { status: response.status, body: await response.json(), took_ms };
    },
    async ping() {
      const [response, took_ms] = await timed(fetch(new URL('/ping', mcp_url)));
      await response.text();
      return took_ms;
    },
  };
}
