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
  const terminals = [0, 1, 2].filter(each => isatty(each));
  const hangUp = (signal: string): void => {
    if (terminals.length > 0 && !terminals.some(each => isatty(each))) receive(signal);
  };
  for (const signal of stopSignals) process.on(signal, receive);
  if (!windows) process.on('SIGHUP', hangUp);
  return () => {
    for (const signal of stopSignals) process.removeListener(signal, receive);
    process.removeListener('SIGHUP', hangUp);
  };
}
