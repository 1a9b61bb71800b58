/** Named entries that come and go while the server runs. */
import { kernelErrors } from './errors.ts';
import type { Disposer } from './scope.ts';

export interface Entries<T> {
  /** Grows by one with every change: what was derived from the entries is valid while it stands. */
  readonly generation: number;
  readonly size: number;
  /** Adds an entry; throws SVC_KERNEL_DUPLICATE for a taken name. The disposer removes this entry only. */
  add(name: string, item: T): Disposer;
  get(name: string): T | undefined;
  has(name: string): boolean;
  /** Entries in the order they were added. */
  list(): T[];
  names(): string[];
}

/** Entries of `kind` (a noun, used in messages). */
export function createEntries<T>(kind: string): Entries<T> {
  const entries = new Map<string, T>();
  let generation = 0;
  return {
    get generation() {
      return generation;
    },
    get size() {
      return entries.size;
    },
    add(name, item) {
      if (entries.has(name)) throw kernelErrors.DUPLICATE({ kind, name });
      entries.set(name, item);
      generation += 1;
      let present = true;
      return () => {
        if (!present) return;
        present = false;
        entries.delete(name);
        generation += 1;
      };
    },
    get: name => entries.get(name),
    has: name => entries.has(name),
    list: () => [...entries.values()],
    names: () => [...entries.keys()],
  };
}
