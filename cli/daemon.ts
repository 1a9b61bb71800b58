/**
 * Processes of this program that outlive who started them: a command run again apart from this one (`--daemon`, and every
 * restart), and a gateway that goes on for an older one. The child tells over IPC how it went.
 */
import { spawn } from 'node:child_process';
import { Server } from 'node:net';
import type { TakenOver } from '../plugins/index.ts';
import type { SessionsWord, SocketWord, SuccessorWord } from '../schemas/gateway-daemon.ts';
import { cliErrors } from './errors.ts';
import { carriedFailure, describeFailure, type Failure } from './exit-codes.ts';

/** What the child says once. */
type Word = { port: number } | { failure: Failure };

/** The hidden flag by which the child knows that it is one. */
export const detachedFlag = 'detached';
/** The hidden flag of a gateway that a server launched. */
export const launchedFlag = 'launched';
/** The hidden flag of a gateway that goes on for an older one, its parent. */
export const successorFlag = 'successor';

/** The command line that runs a command of this program apart from this process. */
export function commandInBackground(command: string, argv: readonly string[]): { executable: string; args: string[] } {
  const own = argv.filter(each => ![`--${detachedFlag}`, `--${successorFlag}`].includes(each));
  const args = [...process.execArgv, process.argv[1] as string, command, `--${detachedFlag}`, ...own];
  return { executable: process.execPath, args };
}

/** Starts the child; resolves when it listens, rejects with its failure. Nothing of it is left when it fails. */
export async function detach(
  command: string,
  argv: readonly string[],
  stderr: 'ignore' | 'inherit' = 'ignore',
): Promise<{ pid: number; port: number }> {
  const { executable, args } = commandInBackground(command, argv);
  const child = spawn(executable, args, {
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

/** Tells the parent that this gateway is ready; resolves with what the parent hands on, rejects when that has gone. */
export function takeOver(): Promise<TakenOver> {
  return new Promise((resolve, reject) => {
    const taken: Server[] = [];
    let sessions: readonly unknown[] = [];
    const gone = (): void => reject(cliErrors.DAEMON_FAILED({ reason: 'the gateway that it goes on for has ended' }));
    process.once('disconnect', gone);
    process.on('message', (word: SocketWord | SessionsWord, socket) => {
      if ('sessions' in word) sessions = word.sessions;
      if (!(socket instanceof Server) || !('sockets' in word)) return;
      taken.push(socket);
      if (taken.length < word.sockets) return;
      process.removeListener('disconnect', gone);
      resolve({ sockets: taken, sessions });
    });
    const ready: SuccessorWord = { ready: true };
    if (process.send) process.send(ready);
    else gone();
  });
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
