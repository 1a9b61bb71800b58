/** Waits for what a call or a job comes to: with its progress shown, until it ends, is late, or Ctrl-C takes it back. */
import type { CallTold } from '../called-tool.ts';
import { createProgressBar } from './progress-bar.ts';

export interface Following {
  /** Seconds; none waits for ever. */
  timeout: number | undefined;
  /** What it rejects with when that time is over. */
  late(seconds: number): Error;
  /** And when Ctrl-C takes it back. */
  cancelled?(): Error;
}

/**
 * Runs `work`; `stop` is aborted with the reason that it then rejects with. `lines` says whether progress is worth lines
 * where no bar can be drawn.
 */
export async function follow<T>(
  stop: AbortController,
  { timeout = 0, late }: Following,
  lines: boolean,
  work: (told: CallTold) => Promise<T>,
): Promise<T> {
  const bar = createProgressBar(process.stderr, lines);
  const timer = timeout > 0 ? setTimeout(() => stop.abort(late(timeout)), timeout * 1000) : undefined;
  try {
    return await work({
      signal: stop.signal,
      onProgress: bar.report,
      onLog: (level, text) => bar.log(`${level}: ${text}`),
    });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    bar.end();
  }
}
