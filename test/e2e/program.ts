/** The built program as a process, for the end-to-end tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { testEnv } from '../environment.ts';
import { waitFor } from '../helper.ts';

/** The built `svc-server`. */
export const program = join(packageRoot, 'dist', 'svc-server.js');

export interface Run {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or the signal that ended the process. */
  ended: Promise<number | string>;
}

export interface Listening {
  event: string;
  mcp_url: string;
  port: number;
  instance_id: string | null;
  pid: number;
}

/** Environment of the children: nothing of the developer's own settings, and the registry of this run. */
const cleanEnv = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SVC_|NODE_OPTIONS|VITEST|NODE_ENV)/.test(name)),
  ),
  ...testEnv,
  ...heard,
});

/** What they send is held against the schemas of MCP, too. */
const heard = {
  NODE_OPTIONS: `--import=${new URL('../oracle/tap.mjs', import.meta.url)}`,
  SVC_TEST_ORACLE: process.env.SVC_TEST_ORACLE,
};

/** Starts `node <file> <args>`; it is killed when the test ends. */
export function runNode(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = packageRoot,
  as: { uid?: number; gid?: number } = {},
): Run {
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`);
  return runCommand(process.execPath, [file, ...args], env, cwd, as);
}

/** The same of any program. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = packageRoot,
  as: { uid?: number; gid?: number } = {},
): Run {
  const child = spawn(command, args, { cwd, env: { ...cleanEnv(), ...env }, ...as });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', chunk => {
      texts[name] += chunk;
    });
  }
  const ended = new Promise<number | string>(resolve => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, ended };
}

/** Starts the built `svc-server`. */
export const runProgram = (args: readonly string[], env?: NodeJS.ProcessEnv): Run => runNode(program, args, env);

/** Waits for the line that `--json` prints. */
export async function listening(run: Run): Promise<Listening> {
  let over = false;
  void run.ended.then(() => {
    over = true;
  });
  await waitFor(() => run.stdout().includes('\n') || over, 'the listening line', 30_000);
  if (!run.stdout().includes('\n')) throw new Error(`the program ended: ${run.stderr()}`);
  return JSON.parse(run.stdout()) as Listening;
}

/** Sends one JSON-RPC request to an MCP endpoint. */
export async function post(url: string, method: string, params: unknown, session?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session ? { 'mcp-session-id': session } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
  return { response, body: JSON.parse(json) as { result?: Record<string, unknown>; error?: unknown } };
}

export const initializeParams = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'e2e', version: '1' },
};
