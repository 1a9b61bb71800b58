/** Disposer scopes: who registers something puts its undo here, and one `dispose()` undoes everything in reverse. */

/** Undoes one registration. Idempotent when it comes from a scope. */
export type Disposer = () => void | Promise<void>;

export interface Scope {
  readonly label: string;
  readonly disposed: boolean;
  /** Records `undo` under `label`; the returned disposer runs it once and forgets it. Throws on a disposed scope. */
  add(label: string, undo: Disposer): Disposer;
  /** A scope that this one disposes. */
  child(label: string): Scope;
  /** Runs every disposer, last first, awaiting each; rejects with an AggregateError after all have run. */
  dispose(): Promise<void>;
  /** Labels of what is still registered, oldest first; children as `child/label`. */
  list(): string[];
}

interface Entry {
  label: string;
  undo: Disposer;
  child?: Scope;
}

/** A new root scope. */
export function createScope(label: string): Scope {
  const entries = new Set<Entry>();
  let disposal: Promise<void> | undefined;

  const register = (entry: Entry): Disposer => {
    if (disposal) throw new Error(`scope "${label}" is disposed: cannot register "${entry.label}"`);
    entries.add(entry);
    return () => (entries.delete(entry) ? entry.undo() : undefined);
  };

  const runAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    while (entries.size > 0) {
      const entry = [...entries].at(-1) as Entry;
      entries.delete(entry);
      try {
        await entry.undo();
      } catch (error) {
        failures.push(new Error(`disposer "${entry.label}" of scope "${label}" failed`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `disposing scope "${label}" failed`);
  };

  return {
    label,
    get disposed() {
      return disposal !== undefined;
    },
    add: (entryLabel, undo) => register({ label: entryLabel, undo }),
    child(childLabel) {
      const child = createScope(childLabel);
      const inner = child.dispose;
      const forget = register({ label: childLabel, undo: inner, child });
      // Disposing the child on its own also forgets it here.
      child.dispose = async () => {
        await forget();
        await inner();
      };
      return child;
    },
    dispose() {
      disposal ??= Promise.resolve().then(runAll);
      return disposal;
    },
    list: () =>
      [...entries].flatMap(entry =>
        entry.child ? [entry.label, ...entry.child.list().map(each => `${entry.label}/${each}`)] : [entry.label],
      ),
  };
}
