/** Work over many clients in slices that let the event loop run in between. */

const sliceSize = 250;
/** A slice ends early when it has taken this long: on a busy machine 250 writes may. */
const sliceMs = 4;
/** The clock is read once per so many items. */
const checkEvery = 16;

/** Calls `visit` for each item, at most `sliceSize` per turn of the loop, the first slice at once; then `done`. */
export function inSlices<T>(items: Iterable<T>, visit: (item: T) => void, done?: () => void): void {
  const iterator = items[Symbol.iterator]();
  const slice = (): void => {
    const end = performance.now() + sliceMs;
    for (let count = 0; count < sliceSize; count += 1) {
      const next = iterator.next();
      if (next.done) {
        done?.();
        return;
      }
      visit(next.value);
      if (count % checkEvery === checkEvery - 1 && performance.now() > end) break;
    }
    setImmediate(slice);
  };
  slice();
}
