/** Named entries that come and go while the server runs. */
import { kernelErrors } from './errors.ts';
import type { Disposer } from './scope.ts';

/** Entries of `kind` (a noun, used in messages). */
export function createEntries<T>(kind: string) {
  const entries = new Map<string, T>();
  return {
    /** Adds an entry; throws SVC_KERNEL_DUPLICATE for a taken name. The disposer removes this entry only. */
    add(name: string, item: T): Disposer {
      if (entries.has(name)) throw kernelErrors.DUPLICATE({ kind, name });
      entries.set(name, item);
      let present = true;
      return () => {
        if (present) entries.delete(name);
        present = false;
      };
    },
    get: (name: string): T | undefined => entries.get(name),
    /** Entries, and their names, in the order they were added. */
    list: (): T[] => [...entries.values()],
    names: (): string[] => [...entries.keys()],
  };
}
