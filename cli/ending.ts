/** Stops and restarts programs, and tells how it went. */
import { setTimeout as sleep } from 'node:timers/promises';
import { control } from './control.ts';
import { carriedFailure, type Failure } from './exit-codes.ts';
import { findRunning, kinds, type Running } from './running.ts';
import { controlAddress } from './state.ts';

export interface Ended {
  name: string;
  kind: Running['kind'];
  pid: number;
  outcome: 'stopped' | 'killed' | 'restarted' | 'left' | 'failed';
  /** Why it was left, or how it failed. */
  reason?: string;
  /** Of the process in its place. */
  new_pid?: number;
  failure?: Failure;
}

const answerMs = 2000;

/** Asks it to stop and waits until it has; `kill` ends what does not within `timeoutMs`. */
export async function stopProgram(running: Running, timeoutMs: number, kill: boolean): Promise<Ended> {
  const { name, kind, pid, embedded } = running;
  const about = { name, kind, pid };
  if (embedded)
    return { ...about, outcome: 'left', reason: 'it runs inside an application: end that, or unload it there' };
  const { outcome, ended, close } = control(controlAddress(pid), 'stop', Math.min(answerMs, timeoutMs + 100));
  const asked = await outcome;
  if (asked.state === 'gone') return { ...about, outcome: 'stopped' };
  const late = sleep(timeoutMs, 'late' as const, { ref: false });
  const first = asked.state === 'silent' ? 'late' : await Promise.race([ended, late]);
  if (first !== 'late') return { ...about, outcome: 'stopped' };
  if (!kill) {
    close();
    return { ...about, outcome: 'failed', reason: 'it does not stop: svc-server stop --force ends it' };
  }
  // It holds the connection: the process id is still its own.
  process.kill(pid, 'SIGKILL');
  await ended;
  return { ...about, outcome: 'killed' };
}

/** Asks it to begin anew and waits until the new process answers. */
export async function restartProgram(running: Running, timeoutMs: number): Promise<Ended> {
  const { name, kind, pid, embedded } = running;
  const about = { name, kind, pid };
  if (embedded) return { ...about, outcome: 'left', reason: 'it runs inside an application: restart that' };
  const { outcome, close } = control(controlAddress(pid), 'restart', timeoutMs);
  const asked = await outcome;
  close();
  if (asked.state !== 'answered') {
    const inItsPlace = await successorOf(running);
    if (inItsPlace) return { ...about, outcome: 'restarted', new_pid: inItsPlace.pid };
    return { ...about, outcome: 'failed', reason: 'it does not answer' };
  }
  const { ok, supervisor, failure, pid: new_pid } = asked.answer as { [name: string]: unknown; failure?: Failure };
  if (ok === true) return { ...about, outcome: 'restarted', new_pid: Number(new_pid) };
  if (failure) return { ...about, outcome: 'failed', reason: failure.message, failure };
  return { ...about, outcome: 'left', reason: `restarting it is the work of ${String(supervisor)}` };
}

/** What serves at its address now: a restarted server has a gateway of an older version replaced by itself. */
const successorOf = async ({ kind, url, pid }: Running): Promise<Running | undefined> =>
  (await findRunning()).find(each => each.kind === kind && each.url === url && each.pid !== pid && each.health);

/** Throws for the first that failed, so that the exit code tells. */
export function assertNoneFailed(ended: readonly Ended[]): void {
  const failed = ended.find(each => each.outcome === 'failed');
  if (!failed) return;
  const { name, pid, reason = '', failure } = failed;
  const message = `${name} (process ${pid}): ${reason}`;
  throw carriedFailure(failure ? { ...failure, message } : { code: 'TIMEOUT', message, exit_code: 4, retryable: true });
}

/** A line for a person. */
export function endedText({ name, pid, outcome, reason, new_pid }: Ended): string {
  const to = new_pid === undefined ? '' : `: it is process ${new_pid} now`;
  return `${name} (process ${pid}) ${outcome}${reason ? `: ${reason}` : to}`;
}

/** In the order in which programs end, those of a kind at once. */
export async function inOrder<T>(running: readonly Running[], act: (each: Running) => Promise<T>): Promise<T[]> {
  const ended: T[] = [];
  for (const kind of kinds) ended.push(...(await Promise.all(running.filter(each => each.kind === kind).map(act))));
  return ended;
}

/** Gateways that a server launched while it was stopped. */
export const lateGateways = async (known: readonly Running[]): Promise<Running[]> =>
  (await findRunning()).filter(each => each.kind === 'gateway' && !known.some(({ pid }) => pid === each.pid));
