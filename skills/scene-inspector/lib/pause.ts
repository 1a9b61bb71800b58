/** Long loops hand the thread back now and then, so that a cancel is heard and other calls of the skill proceed. */

export type Pause = () => Promise<void>;

/** A checkpoint: lets the event loop turn once, then throws the abort reason when the call was cancelled. */
export function createPause(signal: AbortSignal): Pause {
  return async () => {
    await new Promise<void>(resolve => setImmediate(resolve));
    signal.throwIfAborted();
  };
}
