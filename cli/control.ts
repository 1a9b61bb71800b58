/**
 * How commands talk to a program of this user that runs: one line of JSON each way over a Unix socket or a named pipe.
 * A connection lasts until the program has ended, so that whoever waits for the end has nothing to look up.
 */
import { rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** What a program can be asked. */
export type ControlWord = 'status' | 'stop' | 'restart';

export type ControlAnswer = Record<string, unknown>;

/** Listens at `address`; `answer` is given once per connection. Resolves with what ends it. */
export async function serveControl(
  address: string,
  answer: (word: string) => Promise<ControlAnswer>,
): Promise<() => void> {
  if (process.platform !== 'win32') await rm(address, { force: true });
  const server = createServer(socket => {
    // Who asked may be gone before it is answered: the socket says so, and the reader of its lines once more.
    const gone = (): void => undefined;
    socket.on('error', gone);
    createInterface({ input: socket })
      .on('error', gone)
      .once('line', word => {
        void answer(word).then(answered => socket.write(`${JSON.stringify(answered)}\n`));
      });
  });
  // Others of this user's group may not command it, whatever the umask.
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
  } finally {
    process.umask(mask);
  }
  server.on('error', () => undefined);
  server.unref();
  return () => void server.close();
}

/** `gone`: no program listens there. `silent`: one does, and does not answer in time. */
export type ControlOutcome = { state: 'answered'; answer: ControlAnswer } | { state: 'gone' } | { state: 'silent' };

/** Says a word and waits for the answer; never rejects. `ended` resolves when the program is gone. */
export function control(address: string, word: ControlWord, timeoutMs: number) {
  const socket = createConnection(address);
  const ended = new Promise<void>(resolve => {
    socket.once('close', () => resolve());
  });
  const outcome = new Promise<ControlOutcome>(resolve => {
    let connected = false;
    socket.once('connect', () => {
      connected = true;
      socket.write(`${word}\n`);
    });
    socket.setTimeout(timeoutMs, () => resolve({ state: 'silent' }));
    createInterface({ input: socket })
      .on('error', () => undefined)
      .once('line', line => {
        socket.setTimeout(0);
        resolve({ state: 'answered', answer: JSON.parse(line) as ControlAnswer });
      });
    socket.on('error', () => resolve({ state: connected ? 'silent' : 'gone' }));
    socket.once('close', () => resolve({ state: connected ? 'silent' : 'gone' }));
  });
  return { outcome, ended, close: () => socket.destroy() };
}
