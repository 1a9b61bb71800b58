/** Which records have a word: sorted numbers with a weight and the fields, in typed arrays that grow. Pure. */

export type Postings = ReturnType<typeof createPostings>;

export function createPostings() {
  let size = 0;
  let ids = new Int32Array(2);
  let weights = new Float32Array(2);
  let fields = new Uint16Array(2);

  /** Where `id` stands or would stand. */
  const place = (id: number): number => {
    if (size === 0 || (ids[size - 1] as number) < id) return size;
    let [low, high] = [0, size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const resize = (capacity: number): void => {
    const [oldIds, oldWeights, oldFields] = [ids, weights, fields];
    ids = new Int32Array(capacity);
    weights = new Float32Array(capacity);
    fields = new Uint16Array(capacity);
    ids.set(oldIds.subarray(0, size));
    weights.set(oldWeights.subarray(0, size));
    fields.set(oldFields.subarray(0, size));
  };

  return {
    get size(): number {
      return size;
    },
    /** Numbers of the records, ascending; only the first `size` count. */
    get ids(): Int32Array {
      return ids;
    },
    get weights(): Float32Array {
      return weights;
    },
    /** Bits of the fields that have the word. */
    get fields(): Uint16Array {
      return fields;
    },
    put(id: number, weight: number, mask: number): void {
      if (size === ids.length) resize(size * 2);
      const at = place(id);
      if (at < size) {
        ids.copyWithin(at + 1, at, size);
        weights.copyWithin(at + 1, at, size);
        fields.copyWithin(at + 1, at, size);
      }
      ids[at] = id;
      weights[at] = weight;
      fields[at] = mask;
      size += 1;
    },
    delete(id: number): void {
      const at = place(id);
      if (at >= size || ids[at] !== id) return;
      ids.copyWithin(at, at + 1, size);
      weights.copyWithin(at, at + 1, size);
      fields.copyWithin(at, at + 1, size);
      size -= 1;
      if (size > 16 && size * 4 < ids.length) resize(size * 2);
    },
    /** Where `id` stands, or -1. */
    at(id: number): number {
      const found = place(id);
      return found < size && ids[found] === id ? found : -1;
    },
  };
}
