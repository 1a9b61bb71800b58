/** Long loops hand the thread back now and then, so that a cancel is heard and other calls of the skill proceed. */

export type Pause = () => Promise<void>;

/** Longest time that is worked without a turn of the event loop, in milliseconds. */
const slice = 10;

/** A checkpoint: lets the event loop turn when it is time, and throws the abort reason when the call was cancelled. */
export function createPause(signal: AbortSignal): Pause {
  let turned = performance.now();
  return async () => {
    if (performance.now() - turned > slice) {
      await new Promise<void>(resolve => setImmediate(resolve));
      turned = performance.now();
    }
    signal.throwIfAborted();
  };
}
