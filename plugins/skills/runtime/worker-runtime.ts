/**
 * Runs the module tools of one skill: routes calls to its run, and replaces the run when it ends. What had not
 * begun is sent again, what had begun fails with what happened.
 */

import { isSvcError, type Logger, rpcErrors } from '../../../kernel/index.ts';
import { atMost } from '../../../schemas/at-most.ts';

import type { Bundle } from './bundler.ts';
import type { RuntimeServices, RuntimeSpec, SkillCall } from './runtime-api.ts';
import { runtimeErrors } from './runtime-errors.ts';
import { createCrashGuard } from './worker-crashes.ts';
import type { LoadFailure } from './worker-protocol.ts';
import type { Realm } from './worker-realm.ts';
import { createWorkerRun, type Ending, type Flight, type WorkerRun } from './worker-run.ts';

export interface WorkerRuntimeDeps {
  spec: RuntimeSpec;
  bundle: Bundle;
  /** A booted realm: the warm spare or a new one. */
  takeRealm(): Promise<Realm>;
  services: RuntimeServices;
  log: Logger;
  onOutput(level: 'info' | 'warn', line: string): void;
  startTimeoutMs: number;
  maxResultBytes: number;
}

export interface WorkerRuntime {
  readonly running: number;
  call(tool: string, args: Record<string, unknown>, call: SkillCall): Promise<unknown>;
  close(drainMs: number): Promise<void>;
}

/** How long anybody waits for a thread that was told to end: native code may hold it much longer. */
const endWaitMs = 1000;

/** Starts the skill; rejects and leaves nothing behind when its code does not load. */
export async function startWorkerRuntime(deps: WorkerRuntimeDeps): Promise<WorkerRuntime> {
  const { spec, bundle, log } = deps;
  const { skill } = spec;
  /** Calls that are not settled yet: a number, since a Set that calls pass through keeps them all (see `in-flight.ts`). */
  let live = 0;
  const crashes = createCrashGuard();
  let waiting: Flight[] = [];
  let current: WorkerRun | undefined;
  let opening: Promise<void> | undefined;
  let closing = false;
  let closed: Promise<void> | undefined;
  let drained: (() => void) | undefined;

  const finish = (): void => {
    live -= 1;
    if (live > 0) return;
    if (!opening) current?.realm.hold(false);
    drained?.();
  };

  const onEnd = (run: () => WorkerRun | undefined) => (ending: Ending) => {
    const wasCurrent = current !== undefined && current === run();
    if (wasCurrent) current = undefined;
    if (wasCurrent && !closing && ending.hung === undefined) crashes.note(ending.how);
    for (const flight of ending.lost) flight.reject(lossOf(flight, ending));
    if (ending.unbegun.length === 0) return;
    waiting = [...ending.unbegun, ...waiting];
    open();
  };

  const lossOf = (flight: Flight, { how, hung }: Ending): Error => {
    const { tool } = flight;
    if (closing) return runtimeErrors.TERMINATED({ skill, tool, reason: 'the skill was unloaded while it ran' });
    if (hung !== undefined) {
      const reason = `${hung === tool ? 'it' : `"${hung}", which ran beside it,`} no longer answered`;
      return runtimeErrors.TERMINATED({ skill, tool, reason, hung });
    }
    return runtimeErrors.CRASHED({ skill, tool, reason: how });
  };

  const begin = async (): Promise<WorkerRun> => {
    const realm = await deps.takeRealm();
    let run: WorkerRun | undefined;
    run = createWorkerRun(realm, { ...deps, onEnd: onEnd(() => run) });
    realm.hold(true);
    const tools = spec.tools
      .filter(each => each.kind === 'module')
      .map(({ name, path }) => ({ name, file: bundle.relative(path) }));
    try {
      const { startTimeoutMs, maxResultBytes } = deps;
      const request = { url: bundle.url, skill, config: spec.config, maxResultBytes, tools };
      const failure = await run.load(request, startTimeoutMs);
      if (failure) throw loadError(failure);
      if (closing) throw runtimeErrors.CLOSED({ skill });
      return run;
    } catch (error) {
      void realm.end();
      throw startError(error);
    }
  };

  const loadError = ({ file, found, message, stack }: LoadFailure): Error => {
    if (file !== undefined) return runtimeErrors.NOT_A_TOOL({ skill, file, found });
    if (stack) log.warn({ skill, stack }, 'skill code threw while it loaded');
    const at = bundle.locate(stack);
    return runtimeErrors.START_FAILED({ skill, reason: `its top-level code threw: ${message}${at ? ` (${at})` : ''}` });
  };

  const startError = (error: unknown): unknown => {
    const { code, details } = error as { code?: string; details?: { reason?: string } };
    if (code === 'SVC_RPC_TIMEOUT') {
      const reason = `its top-level code did not finish within ${deps.startTimeoutMs / 1000} s`;
      return runtimeErrors.START_FAILED({ skill, reason });
    }
    if (code === 'SVC_KERNEL_PORT_CLOSED') {
      return runtimeErrors.START_FAILED({ skill, reason: `while its top-level code ran, it ${details?.reason}` });
    }
    return isSvcError(error) ? error : runtimeErrors.START_FAILED({ skill, reason: String(error) }, error);
  };

  const flush = (): void => {
    const flights = waiting;
    waiting = [];
    for (const flight of flights) current?.send(flight);
    current?.realm.hold(live > 0);
  };

  const refuse = (error: unknown): void => {
    const flights = waiting;
    waiting = [];
    for (const flight of flights) flight.reject(error);
  };

  /** Makes a run for what waits, unless one is on its way or the skill keeps crashing. */
  const open = (): void => {
    if (opening) return;
    const paused = crashes.pause();
    if (closing || paused) {
      refuse(closing ? runtimeErrors.CLOSED({ skill }) : runtimeErrors.CRASH_LOOP({ skill, ...paused }));
      return;
    }
    opening = begin().then(
      run => {
        opening = undefined;
        if (run.realm.ended) {
          crashes.note('ended right after its start');
          return open();
        }
        current = run;
        flush();
      },
      (error: Error) => {
        opening = undefined;
        crashes.note(`did not start: ${error.message}`);
        refuse(error);
      },
    );
  };

  current = await begin();
  if (current.realm.ended) throw runtimeErrors.START_FAILED({ skill, reason: 'it ended right after its start' });
  current.realm.hold(false);

  const end = async (drainMs: number): Promise<void> => {
    if (live > 0 && drainMs > 0) {
      const idle = new Promise<void>(resolve => {
        drained = resolve;
      });
      await atMost(idle, drainMs);
    }
    refuse(runtimeErrors.CLOSED({ skill }));
    const ended = current?.realm.end() ?? opening;
    if (ended) await atMost(ended, endWaitMs);
  };

  return {
    get running() {
      return live;
    },
    call(tool, args, call) {
      if (closing) return Promise.reject(runtimeErrors.CLOSED({ skill }));
      return new Promise((resolve, reject) => {
        let forget: (() => void) | undefined;
        let stopping: NodeJS.Timeout | undefined;
        const giveUp = (reason: unknown): void => {
          flight.abandoned = true;
          finish();
          reject(abortError(reason));
        };
        const onAbort = (reason: unknown): string | undefined => {
          const index = waiting.indexOf(flight);
          const { graceMs } = call;
          const run = index < 0 ? current : undefined;
          const heldUp = run?.heldUp(flight);
          if (!run || graceMs <= 0) {
            giveUp(reason);
            if (index >= 0) waiting.splice(index, 1);
            run?.cancel(flight);
            return heldUp;
          }
          // A job is cancelled once its code has ended: by itself, or with its realm.
          run.cancel(flight);
          stopping = setTimeout(() => {
            giveUp(reason);
            run.stop(flight);
          }, graceMs);
          return heldUp;
        };
        const settled = (): void => {
          forget?.();
          clearTimeout(stopping);
          finish();
        };
        const flight: Flight = {
          tool,
          args: JSON.stringify(args),
          call,
          sequence: 0,
          abandoned: false,
          acquitted: false,
          callee: undefined,
          refusal: undefined,
          resolve(value) {
            settled();
            resolve(value);
          },
          reject(error) {
            settled();
            reject(error);
          },
        };
        if (live === 0) current?.realm.hold(true);
        live += 1;
        forget = call.onAbort(onAbort);
        if (flight.abandoned) return;
        if (current) return current.send(flight);
        waiting.push(flight);
        open();
      });
    },
    close(drainMs) {
      closing = true;
      closed ??= end(drainMs);
      return closed;
    },
  };
}

/** The reason of an abort when it is an error of ours, otherwise that the call was cancelled. */
export function abortError(cause: unknown): Error {
  if (isSvcError(cause)) return cause;
  const { name, message } = (cause ?? {}) as Partial<Error>;
  const reason = name === 'AbortError' || !message ? 'the caller gave up' : message;
  return rpcErrors.CANCELLED({ reason });
}
