/**
 * What was taken down, on its way to the thread that reads it: three flat things instead of hundreds of small ones, each of
 * which would be copied by itself. Numbers are one list, bodies and names that are new each time one long text, and what
 * is said again and again stands among the words once.
 */
import type { Body, Headers, Item, Names, Packed, Place } from './handed.ts';
import type { CallId, Door } from './messages.ts';
import { shownHeaders } from './safe-http.ts';

const kinds = ['sent', 'passed on', 'answered', 'begun', 'ended'] as const;
const absent = -1;
/** What an id is. */
const ids = { unknown: 0, none: 1, number: 2, text: 3 } as const;

class Packer {
  readonly #numbers: number[] = [];
  readonly #words = new Map<string, number>();
  readonly #texts: string[] = [];

  number(value: number): void {
    this.#numbers.push(value);
  }

  word(value: string | undefined): void {
    let index = value === undefined ? absent : this.#words.get(value);
    if (index === undefined) {
      index = this.#words.size;
      this.#words.set(value as string, index);
    }
    this.#numbers.push(index);
  }

  text(value: string | null | undefined): void {
    this.#numbers.push(value?.length ?? absent);
    if (value) this.#texts.push(value);
  }

  names([request, trace, session]: Names): void {
    this.text(request);
    this.text(trace);
    this.word(session);
  }

  headers(headers: Headers): void {
    for (let index = 0; index < shownHeaders.length; index += 1) this.word(headers[index]);
  }

  body([size, text]: Body): void {
    this.number(size);
    this.text(text);
  }

  place(place: Place | null): void {
    for (let index = 0; index < 3; index += 1) this.word(place?.[index]);
  }

  id(id: CallId | undefined): void {
    if (id === undefined || id === null) this.number(id === null ? ids.none : ids.unknown);
    else if (typeof id === 'number') {
      this.number(ids.number);
      this.number(id);
    } else {
      this.number(ids.text);
      this.text(id);
    }
  }

  packed(): Packed {
    return {
      numbers: Float64Array.from(this.#numbers),
      words: [...this.#words.keys()],
      texts: this.#texts.join(''),
    };
  }
}

export function pack(items: readonly Item[]): Packed {
  const to = new Packer();
  for (const item of items) {
    to.number(kinds.indexOf(item[0]));
    to.number(item[1]);
    if (item[0] === 'ended') {
      to.number(item[2]);
      to.body(item[3]);
    } else if (item[0] === 'begun') {
      const [, , number, rpcId, names, place, ns, body] = item;
      to.number(number);
      to.id(rpcId);
      to.names(names);
      to.place(place);
      to.number(ns);
      to.body(body);
    } else if (item[0] === 'answered') {
      const [, , path, status, ns, names, headers, body, whole] = item;
      to.word(path);
      to.number(status);
      to.number(ns);
      to.names(names);
      to.headers(headers);
      to.body(body);
      to.number(whole ? 1 : 0);
    } else {
      const [, , door, path, ns, names, headers, body, passedOn, id] = item;
      to.word(door);
      to.word(path);
      to.number(ns);
      to.names(names);
      to.headers(headers);
      to.body(body);
      to.place(passedOn);
      to.id(id);
    }
  }
  return to.packed();
}

class Unpacker {
  readonly #from: Packed;
  #at = 0;
  #textAt = 0;

  constructor(from: Packed) {
    this.#from = from;
  }

  get done(): boolean {
    return this.#at >= this.#from.numbers.length;
  }

  number(): number {
    this.#at += 1;
    return this.#from.numbers[this.#at - 1] as number;
  }

  word(): string | undefined {
    return this.#from.words[this.number()];
  }

  text(): string | undefined {
    const length = this.number();
    if (length === absent) return undefined;
    this.#textAt += length;
    return this.#from.texts.slice(this.#textAt - length, this.#textAt);
  }

  names(): Names {
    return [this.text(), this.text(), this.word()];
  }

  headers(): Headers {
    return shownHeaders.map(() => this.word());
  }

  body(): Body {
    return [this.number(), this.text() ?? null];
  }

  place(): Place | null {
    const [id, type, url] = [this.word(), this.word(), this.word()];
    return id === undefined || type === undefined || url === undefined ? null : [id, type, url];
  }

  id(): CallId | undefined {
    const kind = this.number();
    if (kind === ids.number) return this.number();
    if (kind === ids.text) return this.text();
    return kind === ids.none ? null : undefined;
  }

  item(): Item {
    const kind = kinds[this.number()] as (typeof kinds)[number];
    const number = this.number();
    // Members are read in the order in which they are written here.
    if (kind === 'ended') return [kind, number, this.number(), this.body()];
    if (kind === 'begun') {
      const begun = [this.number(), this.id() ?? null, this.names(), this.place() as Place] as const;
      return [kind, number, ...begun, this.number(), this.body()];
    }
    if (kind === 'answered') {
      const answered = [this.word() as string, this.number(), this.number(), this.names()] as const;
      return [kind, number, ...answered, this.headers(), this.body(), this.number() === 1];
    }
    const sent = [this.word() as Door, this.word() as string, this.number(), this.names()] as const;
    return [kind, number, ...sent, this.headers(), this.body(), this.place(), this.id()];
  }
}

/** The same items, in their order. */
export function* unpack(packed: Packed): Generator<Item> {
  const from = new Unpacker(packed);
  while (!from.done) yield from.item();
}
