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

type Entry = { readonly label: string; readonly undo: Disposer };

/** A class, and its set made when first needed: thousands of sessions have a scope each, and most own little. */
class EntryScope implements Scope {
  readonly label: string;
  readonly #parent: EntryScope | undefined;
  #entries: Set<Entry | EntryScope> | undefined;
  #disposal: Promise<void> | undefined;

  constructor(label: string, parent?: EntryScope) {
    this.label = label;
    this.#parent = parent;
  }

  get disposed(): boolean {
    return this.#disposal !== undefined;
  }

  add(label: string, undo: Disposer): Disposer {
    const entry = this.#keep({ label, undo });
    return () => (this.#entries?.delete(entry) ? undo() : undefined);
  }

  child(label: string): Scope {
    return this.#keep(new EntryScope(label, this));
  }

  dispose(): Promise<void> {
    if (this.#parent) this.#parent.#entries?.delete(this);
    this.#disposal ??= Promise.resolve().then(() => this.#runAll());
    return this.#disposal;
  }

  list(): string[] {
    const within = (entry: Entry | EntryScope) => (entry instanceof EntryScope ? entry.list() : []);
    return [...(this.#entries ?? [])].flatMap(each => [each.label, ...within(each).map(it => `${each.label}/${it}`)]);
  }

  #keep<T extends Entry | EntryScope>(entry: T): T {
    if (this.#disposal) throw new Error(`scope "${this.label}" is disposed: cannot register "${entry.label}"`);
    this.#entries = (this.#entries ?? new Set()).add(entry);
    return entry;
  }

  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    // What another disposer has undone meanwhile is no longer in the set.
    for (const entry of [...(this.#entries ?? [])].reverse()) {
      if (!this.#entries?.delete(entry)) continue;
      try {
        await (entry instanceof EntryScope ? entry.dispose() : entry.undo());
      } catch (error) {
        failures.push(new Error(`disposer "${entry.label}" of scope "${this.label}" failed`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `disposing scope "${this.label}" failed`);
  }
}

/** A new root scope. */
export const createScope = (label: string): Scope => new EntryScope(label);
