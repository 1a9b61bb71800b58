/** Gathers changed paths until a quiet moment and hands them over in one go, one hand-over at a time. */

export interface PathGathererDeps {
  debounceMs: number;
  /** Never called while an earlier call runs. */
  onPaths: (paths: ReadonlySet<string>) => Promise<void>;
  onFailure: (error: unknown) => void;
}

export type PathGatherer = ReturnType<typeof createPathGatherer>;

/** Save after save must not put the hand-over off for ever: this many times the debounce at most. */
const longestDelay = 5;

export function createPathGatherer({ debounceMs, onPaths, onFailure }: PathGathererDeps) {
  const pending = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let quiet: NodeJS.Timeout | undefined;
  let waitingSince: number | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  const later = (work: () => void, ms: number): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms).unref();
    timers.add(timer);
    return timer;
  };

  const flush = (): void => {
    quiet = undefined;
    if (closed || running || pending.size === 0) return;
    const paths = new Set(pending);
    pending.clear();
    waitingSince = undefined;
    running = onPaths(paths)
      .catch(onFailure)
      .finally(() => {
        running = undefined;
        flush();
      });
  };

  const add = (path: string): void => {
    if (closed) return;
    pending.add(path);
    const now = Date.now();
    waitingSince ??= now;
    if (quiet) {
      if (now - waitingSince > debounceMs * longestDelay) return;
      clearTimeout(quiet);
      timers.delete(quiet);
    }
    quiet = later(flush, debounceMs);
  };

  return {
    add,
    addLater: (paths: readonly string[], ms: number): void => void later(() => paths.forEach(add), ms),
    /** Drops what is pending; resolves when the hand-over under way has ended. */
    async close(): Promise<void> {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      await running;
    },
  };
}
