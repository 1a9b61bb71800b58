/** Typed arrays that grow: large files stay off the JavaScript heap, whose size is capped in a skill's thread. */

export interface Growable<T> {
  readonly length: number;
  push(value: number): void;
  /** A right-sized copy. */
  take(): T;
}

/** Grows a `Float32Array` by doubling. */
export function growableFloats(): Growable<Float32Array> {
  return growable(size => new Float32Array(size));
}

/** Grows an `Int32Array` by doubling. */
export function growableInts(): Growable<Int32Array> {
  return growable(size => new Int32Array(size));
}

function growable<T extends Float32Array | Int32Array>(create: (size: number) => T): Growable<T> {
  let array = create(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === array.length) {
        const larger = create(length * 2);
        larger.set(array);
        array = larger;
      }
      array[length++] = value;
    },
    take: () => array.slice(0, length) as T,
  };
}
