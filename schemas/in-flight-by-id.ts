/** What is in flight by an id that somebody else chose; no Map, for the reason that `in-flight.ts` tells. */
type Id = string | number;

/** A number and a text of the same look are two ids. */
const keyOf = (id: Id): Id => (typeof id === 'number' ? id : `:${id}`);

export class InFlightById<T> {
  readonly #items: Record<Id, T> = Object.create(null);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: Id): boolean {
    return keyOf(id) in this.#items;
  }

  get(id: Id): T | undefined {
    return this.#items[keyOf(id)];
  }

  set(id: Id, item: T): void {
    const key = keyOf(id);
    if (!(key in this.#items)) this.#size += 1;
    this.#items[key] = item;
  }

  delete(id: Id): boolean {
    const key = keyOf(id);
    if (!(key in this.#items)) return false;
    delete this.#items[key];
    this.#size -= 1;
    return true;
  }

  /** In no order that can be relied on. */
  list(): T[] {
    return Object.values(this.#items);
  }
}
