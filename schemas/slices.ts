/** Long work in slices, so that the loop turns in between. */

/** Milliseconds of work in a turn of the loop. */
const sliceMs = 4;

/**
 * Awaited between two steps, it lets the loop turn when the slice is used up; until then there is nothing to await. For
 * light steps the clock is read once per so many.
 */
export function createSlices(steps = 1): () => Promise<void> | undefined {
  let begun = performance.now();
  let count = 0;
  return () => {
    count += 1;
    if (count % steps !== 0 || performance.now() - begun < sliceMs) return undefined;
    return new Promise(resolve =>
      setImmediate(() => {
        begun = performance.now();
        resolve();
      }),
    );
  };
}
