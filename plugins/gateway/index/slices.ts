/** Long work in slices, so that the loop turns in between. */

/** Milliseconds of work in a turn of the loop. */
const slice = 4;

/** Awaited between two steps, it lets the loop turn when the slice is used up. */
export function createSlices(): () => Promise<void> | undefined {
  let begun = performance.now();
  return () => {
    if (performance.now() - begun < slice) return undefined;
    return new Promise(resolve =>
      setImmediate(() => {
        begun = performance.now();
        resolve();
      }),
    );
  };
}
