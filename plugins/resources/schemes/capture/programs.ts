/** Programs of the system: found on PATH, run without a shell, with a deadline and a bound on what they print. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Environment, findProgram } from '../../../../kernel/index.ts';

const mostErrorText = 2000;

export interface RunOptions {
  deadlineMs: number;
  maxBytes: number;
}

export class TooMuchOutput extends Error {}

export type Programs = ReturnType<typeof createPrograms>;

/** `env` is all that a program sees of the environment. */
export function createPrograms(env: Environment) {
  const running = new Set<ChildProcess>();
  let disposed = false;

  return {
    find: (name: string): Promise<string | undefined> => findProgram(name, env),

    /** What the program printed; rejects when it failed, was late, or printed too much (`TooMuchOutput`). */
    run(path: string, args: readonly string[], { deadlineMs, maxBytes }: RunOptions): Promise<Buffer> {
      return new Promise((resolve, reject) => {
        if (disposed) throw new Error('the server is closing');
        const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
        running.add(child);
        const pieces: Buffer[] = [];
        let bytes = 0;
        let complaint = '';
        let failure: Error | undefined;
        const end = (error: Error): void => {
          failure ??= error;
          child.kill('SIGKILL');
        };
        const timer = setTimeout(() => end(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
        timer.unref();
        child.stdout.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > maxBytes) end(new TooMuchOutput(`more than ${maxBytes} bytes`));
          else pieces.push(piece);
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          if (complaint.length < mostErrorText) complaint += text;
        });
        child.once('error', end);
        child.once('close', code => {
          clearTimeout(timer);
          running.delete(child);
          const said = complaint.trim().split('\n')[0]?.slice(0, 200);
          if (failure) reject(failure);
          else if (code !== 0)
            reject(new Error(said || `it ended with ${code === null ? 'a signal' : `code ${code}`}`));
          else resolve(Buffer.concat(pieces));
        });
      });
    },

    /** Ends what still runs; nothing can be run afterwards. */
    dispose(): void {
      disposed = true;
      for (const child of running) child.kill('SIGKILL');
    },
  };
}
