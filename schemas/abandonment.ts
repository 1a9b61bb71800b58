/** Tells once that nobody waits any more: as much of an AbortSignal as a call needs, at a tenth of its cost. */
export class Abandonment {
  aborted = false;
  /** Few, most often one: a list costs less than a set. */
  readonly #listeners: (() => void)[] = [];

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of [...this.#listeners]) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#listeners.includes(listener)) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}
