/**
 * When an instance is read: at once when it comes or is asked for, soon after it says that its list changed. One look
 * at a time; an instance that changes all the time is looked at ever less often, a failing one is tried again.
 */
import { messageOf } from '../../../kernel/index.ts';
import { withTimeout } from '../../../schemas/with-timeout.ts';

export interface RefresherDeps {
  /** Reads and stores; resolves with what had to be left out. */
  read(instance_id: string, signal: AbortSignal): Promise<string | undefined>;
  /** Told after each look. */
  done(instance_id: string, problem: string | undefined): void;
}

const pace = { calm: 40, restless: 5000, retry: 500, longestRetry: 30_000, timeout: 60_000 };

interface Watch {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | undefined;
  again: boolean;
  failures: number;
  /** When the last look ended, and how long it took. */
  ended: number;
  took: number;
  /** Grows with every look that was asked for soon after another. */
  unrest: number;
  stop: AbortController;
}

export function createRefresher({ read, done }: RefresherDeps) {
  const watches = new Map<string, Watch>();

  const watchOf = (id: string): Watch => {
    const known = watches.get(id);
    if (known) return known;
    const calm = { again: false, failures: 0, ended: 0, took: 0, unrest: 0 };
    const made: Watch = { ...calm, timer: undefined, running: undefined, stop: new AbortController() };
    watches.set(id, made);
    return made;
  };

  const look = async (id: string, watch: Watch): Promise<void> => {
    clearTimeout(watch.timer);
    watch.timer = undefined;
    watch.again = false;
    const begun = performance.now();
    const signal = withTimeout(watch.stop.signal, pace.timeout);
    try {
      const problem = await read(id, signal);
      watch.failures = 0;
      if (!watch.stop.signal.aborted) done(id, problem);
    } catch (error) {
      if (watch.stop.signal.aborted) return;
      watch.failures += 1;
      done(id, messageOf(error));
      throw error;
    } finally {
      watch.ended = performance.now();
      watch.took = watch.ended - begun;
    }
  };

  const plan = (id: string, watch: Watch, delay: number): void => {
    if (watch.stop.signal.aborted || watch.timer) return;
    watch.timer = setTimeout(() => void run(id, watch).catch(() => undefined), delay);
    watch.timer.unref();
  };

  const run = (id: string, watch: Watch): Promise<void> => {
    if (watch.running) return watch.running;
    watch.running = look(id, watch).finally(() => {
      watch.running = undefined;
      if (watch.failures > 0) plan(id, watch, Math.min(pace.retry * 2 ** (watch.failures - 1), pace.longestRetry));
      else if (watch.again) plan(id, watch, delayOf(watch));
    });
    return watch.running;
  };

  const delayOf = (watch: Watch): number => {
    const quiet = performance.now() - watch.ended;
    watch.unrest = quiet > pace.restless ? 0 : watch.unrest + 1;
    return watch.unrest <= 3
      ? pace.calm
      : Math.min(pace.calm * 2 ** (watch.unrest - 3) + 4 * watch.took, pace.restless);
  };

  return {
    /** Looks as soon as the pace allows. */
    soon(id: string): void {
      const watch = watchOf(id);
      if (watch.running) watch.again = true;
      else plan(id, watch, watch.ended === 0 ? 0 : delayOf(watch));
    },
    /** Looks now, and resolves when a look that began no earlier than this call has ended. Rejects with its failure. */
    async now(id: string): Promise<void> {
      const watch = watchOf(id);
      // A look that runs already may have missed what the caller knows of.
      await watch.running?.catch(() => undefined);
      if (!watch.stop.signal.aborted) await run(id, watch);
    },
    forget(id: string): void {
      const watch = watches.get(id);
      if (!watch) return;
      watches.delete(id);
      clearTimeout(watch.timer);
      watch.stop.abort();
    },
    close(): void {
      for (const { timer, stop } of watches.values()) {
        clearTimeout(timer);
        stop.abort();
      }
      watches.clear();
    },
  };
}
