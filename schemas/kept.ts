/** Values that stay on this side, by the keys that the other side knows them by. Pure. */

/** Undoes a registration; resolves when the other side has done so. */
type Undo = () => Promise<void>;

export interface Kept<T> {
  get(key: number): T | undefined;
  values(): Iterable<T>;
  /** Keeps `value` for as long as what `send` registers stands. */
  register(value: T, send: (key: number) => Promise<Undo>): Promise<Undo>;
}

export function createKept<T>(): Kept<T> {
  const kept = new Map<number, T>();
  let lastKey = 0;
  return {
    get: key => kept.get(key),
    values: () => kept.values(),
    async register(value, send) {
      lastKey += 1;
      const key = lastKey;
      kept.set(key, value);
      try {
        const undo = await send(key);
        return () => undo().finally(() => kept.delete(key));
      } catch (error) {
        kept.delete(key);
        throw error;
      }
    },
  };
}
