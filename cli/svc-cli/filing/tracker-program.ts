/** Runs the tracker's own client: on the public host, asking nobody, for a bounded time, and ended with all it has started. */

import { isUtf8 } from 'node:buffer';
import { spawn } from 'node:child_process';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import { cliErrors } from '../../errors.ts';

const program = 'gh';
const timeLimitMs = 30_000;
/** Bytes of an answer: some twenty issues with the largest body there is. */
const mostOutput = 16 << 20;
const mostReason = 400;

/** Pinned, whatever the user's own settings are. */
const pinned = { GH_HOST: 'github.com', GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' };
/** Would send it elsewhere, or put colours and remarks into what it answers. */
const unset = ['GH_REPO', 'GH_FORCE_TTY', 'CLICOLOR_FORCE', 'GH_DEBUG', 'DEBUG', 'GH_PAGER', 'PAGER'];

export interface TrackerProgramOptions {
  env: NodeJS.ProcessEnv;
  /** Takes it back: the client is ended. */
  signal: AbortSignal;
  timeoutMs?: number;
}

export interface TrackerRun {
  /** For the user: what it was run for. */
  what: string;
  args: readonly string[];
  /** On its standard input. */
  input?: string;
}

export type TrackerProgram = (run: TrackerRun) => Promise<string>;

/** What it prints; rejects with SVC_CLI_TRACKER_*, which say in their details when it is sure that nothing was written. */
export function createTrackerProgram({ env, signal, timeoutMs = timeLimitMs }: TrackerProgramOptions): TrackerProgram {
  return async ({ what, args, input = '' }) => {
    const [{ findProgram }, { processTree }] = await Promise.all([
      import('../../../kernel/index.ts'),
      import('../../../plugins/skills/processes/api.ts'),
    ]);
    const file = await findProgram(program, env);
    if (file === undefined) throw cliErrors.TRACKER_MISSING({ nothing_written: true });
    signal.throwIfAborted();
    const kept = Object.entries(env).filter(([name]) => !unset.includes(name));
    const tree = processTree({ ...Object.fromEntries(kept), ...pinned });
    const child = spawn(file, args, { ...tree.options, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let size = 0;
    let stopped: Error | undefined;
    const ended = new Promise<number | null>((resolve, reject) => {
      const stop = (why: Error): void => {
        if (stopped) return;
        stopped = why;
        // Nobody waits for what escaped and holds its output open.
        void tree.kill(child, 0).then(() => resolve(null));
      };
      const onAbort = (): void => stop(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      const timer = setTimeout(() => stop(cliErrors.TRACKER_TIMEOUT({ what, seconds: timeoutMs / 1000 })), timeoutMs);
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= mostOutput) output[name].push(chunk);
          else stop(cliErrors.TRACKER_DATA({ what, reason: `it is larger than ${mostOutput} bytes` }));
        });
      }
      child.once('error', reject);
      child.once('close', code => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        if (!stopped) resolve(code);
      });
    });
    // One that does not read it is told by its exit code.
    child.stdin.on('error', () => undefined).end(input);
    const code = await ended.finally(() => [child.stdout, child.stderr].map(each => each.destroy()));
    if (stopped) throw stopped;
    if (code !== 0) throw failureOf(what, code, Buffer.concat(output.stderr).toString());
    const bytes = Buffer.concat(output.stdout);
    if (!isUtf8(bytes)) throw cliErrors.TRACKER_DATA({ what, reason: 'it is no UTF-8' });
    return bytes.toString();
  };
}

/** Exit code 4 is what the client has for a missing login; one that has run out is told in words. */
function failureOf(what: string, code: number | null, stderr: string): Error {
  const reason = withoutSecrets(stderr).trim().replaceAll(/\s+/g, ' ').slice(0, mostReason) || `exit code ${code}`;
  if (code === 4 || /\bHTTP 401\b|\bgh auth login\b/.test(stderr))
    return cliErrors.TRACKER_LOGIN({ what, nothing_written: true });
  const refused = /\bHTTP 4\d\d\b|^GraphQL: /m.test(stderr);
  return cliErrors.TRACKER_FAILED({ what, reason, ...(refused && { nothing_written: true }) });
}
