/**
 * The gateway that this one goes on as, newer or begun anew: a process that is given the very sockets that are listened on, so that
 * nobody's connection is refused in between. Until it listens nothing has changed; when it fails, this gateway stays.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { type Environment, writeWhole } from '../../../kernel/index.ts';
import type { DaemonCommand, SessionsWord, SocketWord, SuccessorWord } from '../../../schemas/gateway-daemon.ts';
import { objectOf, parsed, text, texts } from '../../../schemas/loose.ts';

/** The command that a newer server laid out; nothing when there is none that only this user could have written. */
export async function offeredSuccessor(file: string): Promise<DaemonCommand | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile() || (process.getuid && found.uid !== process.getuid())) return undefined;
  const { executable, args } = objectOf(parsed(await readFile(file, 'utf8').catch(() => '')));
  const program = text(executable);
  return program === undefined ? undefined : { executable: program, args: texts(args) };
}

/** How it is started. */
export interface Successor {
  command: DaemonCommand;
  /** Its working directory. */
  directory: string;
  /** What becomes of its messages; without it, all its output goes where that of this process does. */
  stderr?: 'inherit' | 'ignore';
}

export interface SuccessorInput extends Successor {
  env: Environment;
  sockets: readonly Server[];
  /** Of MCP clients, as they are when it asks for them. */
  sessions(): readonly object[];
  timeoutMs: number;
}

/** Resolves with its process id once it listens; rejects when it does not, and nothing of it is left then. */
export async function startSuccessor(input: SuccessorInput): Promise<number> {
  const { command, directory, stderr, env, timeoutMs } = input;
  const child = spawn(command.executable, [...command.args, '--successor'], {
    cwd: directory,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', stderr ? 'ignore' : 'inherit', stderr ?? 'inherit', 'ipc'],
    env,
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    await listening(child, input);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (child.connected) child.disconnect();
  child.unref();
  return child.pid as number;
}

/** Where this process is written down as the launched daemon, its successor is from now on. */
export async function recordSuccessor(file: string, pid: number): Promise<void> {
  const found = objectOf(parsed(await readFile(file, 'utf8').catch(() => '')));
  if (found.pid !== process.pid) return;
  // What people look at is no reason to fail.
  await writeWhole(file, `${JSON.stringify({ ...found, pid }, null, 2)}\n`, { mode: 0o600 }).catch(() => undefined);
}

type HandedOn = Pick<SuccessorInput, 'sockets' | 'sessions'>;

function listening(child: ChildProcess, { sockets, sessions }: HandedOn): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (reason: string): void => reject(new Error(`the newer gateway did not start: ${reason}`));
    child.once('error', error => failed(error.message));
    child.once('exit', (code, signal) => failed(`it ended with ${signal ?? `exit code ${code}`}`));
    child.on('message', message => {
      const word = message as SuccessorWord;
      if ('ready' in word) {
        const before: SessionsWord = { sessions: sessions() };
        child.send(before);
        const said: SocketWord = { sockets: sockets.length };
        for (const socket of sockets) child.send(said, socket, {}, error => error && failed(error.message));
      } else if ('port' in word) resolve();
      else failed(word.failure.message);
    });
  });
}
