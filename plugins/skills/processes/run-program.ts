/** A program of the system that is waited for: bounded in time and output, ended with all it started. */
import { spawn } from 'node:child_process';
import type { Environment } from '../../../kernel/index.ts';
import { createKeptText } from './kept-text.ts';
import { processTree } from './process-tree.ts';
import { skillEnvironment } from './skill-environment.ts';

export interface ProgramOptions {
  env: Environment;
  cwd?: string;
  timeoutMs: number;
  signal?: AbortSignal;
}

const mostOutput = 64 * 1024;

/** Resolves with what a successful run printed; rejects with what a failed one did, or with why it was ended. */
export function runProgram(
  command: string,
  args: readonly string[],
  { env, cwd, timeoutMs, signal }: ProgramOptions,
): Promise<{ stdout: string }> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const tree = processTree(skillEnvironment(env));
    const child = spawn(command, args, {
      ...tree.options,
      ...(cwd !== undefined && { cwd }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = [createKeptText(mostOutput), createKeptText(mostOutput)];
    let ended: Error | undefined;
    const end = (why: Error): void => {
      ended ??= why;
      void tree.kill(child, 0);
    };
    const timer = setTimeout(() => end(new Error(`it took longer than ${timeoutMs / 1000} s`)), timeoutMs);
    const onAbort = (): void => end(signal?.reason as Error);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.setEncoding('utf8').on('data', out.add);
    child.stderr.setEncoding('utf8').on('data', err.add);
    child.once('error', error => settle(() => reject(error)));
    child.once('close', (code, by) =>
      settle(() => {
        if (ended) return reject(ended);
        if (code === 0) return resolve({ stdout: out.text() });
        return reject(new Error(failureOf(err.text(), out.text()) || `it ended with ${by ?? `exit code ${code}`}`));
      }),
    );
  });
}

/** Of what installers print, the lines that they call errors; else the last one. */
function failureOf(err: string, out: string): string {
  const lines = (err.trim() || out.trim()).split(/\r?\n/).map(each => each.trim());
  const errors = lines.filter(each => /^(?:error|×|╰─▶)/i.test(each));
  return (errors.length > 0 ? errors.slice(-2) : lines.slice(-1))
    .map(each => each.replace(/^error:\s*/i, ''))
    .join('; ');
}
