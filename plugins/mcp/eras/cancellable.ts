/** The part of a request's context by which its handler learns that nobody waits any more. Made on first use. */
export class Cancellable {
  #controller: AbortController | undefined;
  #cancelled: string | undefined;
  #listeners: (() => void)[] | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled);
    }
    return this.#controller.signal;
  }

  onCancel(listener: () => void): void {
    if (this.#cancelled !== undefined) listener();
    else if (this.#listeners) this.#listeners.push(listener);
    else this.#listeners = [listener];
  }

  protected tellCancelled(reason: string): void {
    this.#cancelled = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener();
  }
}
