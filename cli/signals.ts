/**
 * Signals that ask the process to stop: the first asks, a second insists. SIGHUP is one only where the terminal of the
 * program is gone with it. A program without a terminal, as under `nohup` or a service manager, goes on, and its log is
 * written to the file of that name, which may be another by then.
 */
import { isatty } from 'node:tty';

const windows = process.platform === 'win32';
const stopSignals: readonly NodeJS.Signals[] = windows
  ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']
  : ['SIGINT', 'SIGTERM'];

const terminals = [0, 1, 2].filter(each => isatty(each));

/** Whether the terminal that the program began in is gone. */
export const isHungUp = (): boolean => terminals.length > 0 && !terminals.some(each => isatty(each));

/**
 * Ends a process whose terminal is gone, as such a process ends: by the signal. An exit would have Node put the terminal
 * back in order, and crash for there is none.
 */
export function endHungUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** Calls `ask` at the first stop signal and `insist` at every later one; returns the undo. */
export function onStopSignal(ask: (signal: string) => void, insist: () => void): () => void {
  let asked = false;
  const receive = (signal: string): void => {
    if (asked) {
      insist();
      return;
    }
    asked = true;
    ask(signal);
  };
  const hangUp = (signal: string): void => {
    if (isHungUp()) receive(signal);
  };
  for (const signal of stopSignals) process.on(signal, receive);
  if (!windows) process.on('SIGHUP', hangUp);
  return () => {
    for (const signal of stopSignals) process.removeListener(signal, receive);
    process.removeListener('SIGHUP', hangUp);
  };
}
