/** What was taken down, on its way to the thread that reads it. */
import { type Tape, TapeReader, type TapeWriter } from '../../schemas/tape.ts';
import type { Body, Headers, Item, Names, Place } from './handed.ts';
import type { CallId, Door } from './messages.ts';
import { shownHeaders } from './safe-http.ts';

const kinds = ['sent', 'passed on', 'answered', 'begun', 'ended'] as const;
/** What an id is. */
const ids = { none: 0, number: 1, text: 2 } as const;
/** Headers that are others each time. */
const fresh: readonly boolean[] = shownHeaders.map(name => name === 'traceparent' || name === 'x-request-id');

/** A body before it is packed: bytes are UTF-8. */
export type Carried = readonly [size: number, text: string | Uint8Array | null];

/** An item before it is packed. */
type Packable<Each = Item> = Each extends readonly unknown[]
  ? { readonly [Key in keyof Each]: Each[Key] extends Body ? Carried : Each[Key] }
  : never;

export function pack(item: Packable, to: TapeWriter): void {
  to.number(kinds.indexOf(item[0]));
  to.number(item[1]);
  if (item[0] === 'ended') {
    to.number(item[2]);
    packBody(item[3], to);
  } else if (item[0] === 'begun') {
    to.number(item[2]);
    packId(item[3], to);
    packNames(item[4], to);
    packPlace(item[5], to);
    to.number(item[6]);
    packBody(item[7], to);
  } else if (item[0] === 'answered') {
    to.number(item[2]);
    to.number(item[3]);
    packHeaders(item[4], to);
    packBody(item[5], to);
    to.number(item[6] ? 1 : 0);
  } else if (item[0] === 'passed on') {
    packPlace(item[2], to);
  } else {
    to.word(item[2]);
    to.word(item[3]);
    to.number(item[4]);
    packHeaders(item[5], to);
    packBody(item[6], to);
  }
}

function packNames(names: Names, to: TapeWriter): void {
  to.text(names[0]);
  to.text(names[1]);
  to.word(names[2]);
}

function packHeaders(headers: Headers, to: TapeWriter): void {
  for (let index = 0; index < shownHeaders.length; index += 1) {
    if (fresh[index]) to.text(headers[index]);
    else to.word(headers[index]);
  }
}

function packBody(body: Carried, to: TapeWriter): void {
  to.number(body[0]);
  const [, text] = body;
  if (text instanceof Uint8Array) to.bytes(text);
  else to.text(text);
}

function packPlace(place: Place, to: TapeWriter): void {
  for (let index = 0; index < 3; index += 1) to.word(place[index]);
}

function packId(id: CallId, to: TapeWriter): void {
  if (id === null) to.number(ids.none);
  else if (typeof id === 'number') {
    to.number(ids.number);
    to.number(id);
  } else {
    to.number(ids.text);
    to.text(id);
  }
}

// Members of a list are read in the order in which they are written here.
const namesIn = (from: TapeReader): Names => [from.text(), from.text(), from.word()];
const headersIn = (from: TapeReader): Headers => fresh.map(each => (each ? from.text() : from.word()));
const bodyIn = (from: TapeReader): Body => [from.number(), from.text() ?? null];
const placeIn = (from: TapeReader): Place => [from.word() ?? '', from.word() ?? '', from.word() ?? ''];

function idIn(from: TapeReader): CallId {
  const kind = from.number();
  if (kind === ids.number) return from.number();
  return kind === ids.text ? (from.text() ?? null) : null;
}

function itemIn(from: TapeReader): Item {
  const kind = kinds[from.number()] as (typeof kinds)[number];
  const number = from.number();
  if (kind === 'ended') return [kind, number, from.number(), bodyIn(from)];
  if (kind === 'begun') {
    const hop = [from.number(), idIn(from), namesIn(from), placeIn(from)] as const;
    return [kind, number, ...hop, from.number(), bodyIn(from)];
  }
  if (kind === 'passed on') return [kind, number, placeIn(from)];
  if (kind === 'answered') {
    return [kind, number, from.number(), from.number(), headersIn(from), bodyIn(from), from.number() === 1];
  }
  return [kind, number, from.word() as Door, from.word() as string, from.number(), headersIn(from), bodyIn(from)];
}

/** The items of a tape, in their order. */
export function* unpack(tape: Tape): Generator<Item> {
  const from = new TapeReader(tape);
  while (!from.done) yield itemIn(from);
}
