/**
 * Runs a command of this program again as a process of its own that outlives this one: `--daemon`, and every restart. The
 * child tells over IPC how it went, because it has no stdout.
 */
import { spawn } from 'node:child_process';
import { cliErrors } from './errors.ts';
import { carriedFailure, describeFailure, type Failure } from './exit-codes.ts';

/** What the child says once. */
type Word = { port: number } | { failure: Failure };

/** The hidden flag by which the child knows that it is one. */
export const detachedFlag = 'detached';

/** Starts the child; resolves when it listens, rejects with its failure. Nothing of it is left when it fails. */
export async function detach(
  command: string,
  argv: readonly string[],
  stderr: 'ignore' | 'inherit' = 'ignore',
): Promise<{ pid: number; port: number }> {
  const own = argv.filter(each => each !== `--${detachedFlag}`);
  const args = [...process.execArgv, process.argv[1] as string, command, `--${detachedFlag}`, ...own];
  const child = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  });
  const word = await new Promise<Word>((resolve, reject) => {
    const failed = (reason: string): void => reject(cliErrors.DAEMON_FAILED({ reason }));
    child.once('message', message => resolve(message as Word));
    child.once('error', error => failed(error.message));
    child.once('exit', (code, signal) => failed(`it ended with ${signal ?? `exit code ${code}`}`));
  });
  if (child.connected) child.disconnect();
  child.unref();
  if ('failure' in word) throw carriedFailure(word.failure);
  return { pid: child.pid as number, port: word.port };
}

/** Runs the child's `start`; its outcome goes to the waiting parent. */
export async function reportStart<T extends { port: number }>(start: () => Promise<T>): Promise<T> {
  try {
    const started = await start();
    await tell({ port: started.port });
    return started;
  } catch (error) {
    await tell({ failure: describeFailure(error) });
    throw error;
  }
}

function tell(word: Word): Promise<void> {
  return new Promise(resolve => {
    if (!process.connected || !process.send) return resolve();
    // A parent that is gone needs no telling.
    process.send(word, undefined, {}, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}
