/** Work over many clients in slices that let the event loop run in between. */

const sliceSize = 250;

/** Calls `visit` for each item, `sliceSize` per turn of the loop, the first slice at once; then `done`. */
export function inSlices<T>(items: Iterable<T>, visit: (item: T) => void, done?: () => void): void {
  const iterator = items[Symbol.iterator]();
  const slice = (): void => {
    for (let count = 0; count < sliceSize; count += 1) {
      const next = iterator.next();
      if (next.done) {
        done?.();
        return;
      }
      visit(next.value);
    }
    setImmediate(slice);
  };
  slice();
}
