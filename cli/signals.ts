/** Signals that ask the process to stop: the first asks, a second insists. */

const stopSignals: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

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
  for (const signal of stopSignals) process.on(signal, receive);
  return () => {
    for (const signal of stopSignals) process.removeListener(signal, receive);
  };
}
