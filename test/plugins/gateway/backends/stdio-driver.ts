/**
 * A second driver, to prove the seam: a child process that speaks newline-delimited JSON-RPC on its standard streams. The
 * row's address is `stdio:` and the command line as a JSON array, percent-encoded.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { parseMessage, readMessage, readText } from '../../../../plugins/gateway/backends/answer.ts';
import type { Driver, Link, LinkSession, Posted, Posting } from '../../../../plugins/gateway/backends/driver.ts';
import type { Failure } from '../../../../plugins/gateway/backends/failure.ts';

const scheme = 'stdio:';

export const addressOfCommand = (command: readonly string[]): string =>
  scheme + encodeURIComponent(JSON.stringify(command));

interface Running {
  child: ChildProcessByStdio<Writable, Readable, null>;
  waiting: Map<number, (posted: Posted) => void>;
  ended: Promise<Failure>;
  alive: boolean;
}

export const stdioDriver: Driver = {
  addressOf: ({ mcp_url }) => (mcp_url.startsWith(scheme) ? mcp_url : undefined),

  connect({ mcp_url }, { maxBytes, onMessage }): Link {
    const command = JSON.parse(decodeURIComponent(mcp_url.slice(scheme.length))) as string[];
    let running: Running | undefined;
    let closed = false;

    const start = (): Running => {
      const child = spawn(command[0] as string, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
      const waiting: Running['waiting'] = new Map();
      let because: Failure = { kind: 'broken', reason: 'its process ended' };
      const ended = new Promise<Failure>(resolve => {
        child.once('error', ({ message }) => resolve({ kind: 'unreachable', reason: message }));
        child.once('close', () => resolve(closed ? { kind: 'gone', reason: 'it was closed' } : because));
      });
      const made: Running = { child, waiting, ended, alive: true };
      void ended.then(failure => {
        made.alive = false;
        for (const settle of [...waiting.values()]) settle({ failure });
      });
      child.stdin.on('error', () => undefined);
      const decoder = new StringDecoder('utf8');
      let partial = '';
      child.stdout.on('data', (chunk: Buffer) => {
        const lines = (partial + decoder.write(chunk)).split('\n');
        partial = lines.pop() ?? '';
        for (const line of lines) receive(made, line);
        if (partial.length <= maxBytes) return;
        // Whose answer it would have been is not known: the stream is of no use any more.
        because = { kind: 'too-large', reason: `more than ${maxBytes} bytes` };
        child.kill('SIGKILL');
      });
      return made;
    };

    const receive = ({ waiting }: Running, line: string): void => {
      const message = parseMessage(line);
      if (!message) return;
      const settle = message.method === undefined ? waiting.get(message.id as number) : undefined;
      if (settle)
        settle(readText(line, message.id as number) ?? readMessage(message, message.id as number) ?? noAnswer);
      else if (message.method !== undefined) onMessage(message);
    };

    const post = (at: Running, { id, body, timeoutMs, signal }: Posting): Promise<Posted> =>
      new Promise(resolve => {
        if (!at.alive) return resolve(closed ? { failure: { kind: 'gone', reason: 'closed' } } : { forgotten: true });
        if (at.child.stdin.writableLength > maxBytes) {
          return resolve({ failure: { kind: 'overloaded', reason: 'it does not read' } });
        }
        at.child.stdin.write(`${body}\n`);
        if (id === undefined) return resolve({});
        const settle = (posted: Posted): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
          at.waiting.delete(id);
          resolve(posted);
        };
        const cancel = (): void => settle({ failure: { kind: 'cancelled', reason: 'the caller gave up' } });
        const timer = setTimeout(() => settle({ failure: { kind: 'timeout', reason: 'deadline' } }), timeoutMs);
        signal?.addEventListener('abort', cancel, { once: true });
        at.waiting.set(id, settle);
      });

    const sessionOf = (at: Running): LinkSession => ({
      post: posting => post(at, posting),
      listen: ({ signal, onOpen }) =>
        new Promise(resolve => {
          onOpen();
          signal.addEventListener('abort', () => resolve('ended'), { once: true });
          void at.ended.then(() => resolve(closed ? 'over' : 'forgotten'));
        }),
      // A session ends with its process.
      end: async () => void at.child.stdin.end(),
    });

    return {
      async open(initialize) {
        const at = running?.alive ? running : start();
        running = at;
        const { failure, error } = await post(at, initialize);
        if (failure) return { failure };
        return error ? { error } : { session: sessionOf(at) };
      },
      async probe() {
        running = running?.alive ? running : start();
        const { child, ended } = running;
        if (child.pid !== undefined) return { kind: 'reachable', ready: null };
        return { kind: 'unreachable', message: (await ended).reason, certain: true };
      },
      async close(_gone, drainMs = 0) {
        const end = Date.now() + drainMs;
        while (running?.waiting.size && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 5));
        closed = true;
        if (!running) return;
        running.child.kill('SIGKILL');
        await running.ended;
      },
    };
  },
};

const noAnswer: Posted = { failure: { kind: 'malformed', reason: 'neither a result nor an error' } };
