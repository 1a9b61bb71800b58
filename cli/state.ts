/**
 * The one place where the programs of this user keep their logs and say that they run: `~/.local/state/svc` (Linux, by
 * XDG_STATE_HOME), `~/Library/Logs/svc` (macOS), `%LOCALAPPDATA%\svc\Log` (Windows).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateDirectory } from '../schemas/state-directory.ts';

export { stateDirectory } from '../schemas/state-directory.ts';

/** Where a program writes its log when it is told of no other file. */
export const ownLog = (name: string): string =>
  join(stateDirectory(), `${name.replace(/[^\w.-]+/g, '-')}-${process.pid}.log`);

/** One file for each program that runs, `<pid>.json`. */
export const runFolder = (): string => join(stateDirectory(), 'run');

/** Room for the address of a Unix socket, its end included: less on macOS. */
const longestSocket = 103;

/** Where a program listens to the commands of this user: nobody else may write there. */
export function controlAddress(pid: number): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\svc-${pid}`;
  const socket = join(runFolder(), `${pid}.sock`);
  if (Buffer.byteLength(socket) <= longestSocket) return socket;
  return join(tmpdir(), `svc-${process.getuid?.()}-${pid}.sock`);
}

/** Whether a process of this number is there, whoever's it is. */
export function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
