/**
 * What clients send and get, taken down where it is whole: at the HTTP server. Only requests that bring calls are looked
 * at, and nothing is held up: what passes is noted, and read elsewhere.
 */
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Place } from './handed.ts';
import { type Door, doorOf } from './messages.ts';

/** A body as it passes; beyond the limit it is only counted. */
export class Passing {
  readonly #limit: number;
  #parts: (Buffer | string)[] = [];
  size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: unknown, encoding?: unknown): void {
    if (typeof chunk === 'string') this.#addText(chunk, typeof encoding === 'string' ? encoding : 'utf8');
    else if (chunk instanceof Uint8Array) {
      this.#keep(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), chunk.byteLength);
    }
  }

  #addText(chunk: string, encoding: string): void {
    const bytes = Buffer.byteLength(chunk);
    // Plain letters are the same in all encodings of text.
    const plain = bytes === chunk.length && /^(?:utf-?8|latin1|ascii|binary)$/i.test(encoding);
    if (plain || /^utf-?8$/i.test(encoding)) this.#keep(chunk, bytes);
    else this.add(Buffer.from(chunk, encoding as BufferEncoding));
  }

  #keep(part: Buffer | string, bytes: number): void {
    this.size += bytes;
    if (this.truncated) this.#parts = [];
    else this.#parts.push(part);
  }

  get truncated(): boolean {
    return this.size > this.#limit;
  }

  /** Bytes that are held. */
  get kept(): number {
    return this.truncated ? 0 : this.size;
  }

  /** All of it, which is UTF-8, or as the text that it came as. */
  whole(): Buffer | string {
    const [first = ''] = this.#parts;
    if (this.#parts.length <= 1) return first;
    const all = Buffer.concat(this.#parts.map(each => (typeof each === 'string' ? Buffer.from(each) : each)));
    this.#parts = [all];
    return all;
  }
}

export interface TapDeps {
  /** Path of the MCP endpoint. */
  readonly endpoint: string;
  readonly maxBodyBytes: number;
  nowNs(): number;
  /** The request has come, whole. */
  onSent(exchange: Exchange): void;
  /** The answer has gone out. */
  onAnswered(exchange: Exchange): void;
}

type Written = (...given: unknown[]) => unknown;

/** What was handed on of an exchange. */
export interface Taken {
  readonly number: number;
  /** Number of the batch that its request went in. */
  readonly batch: number;
}

/** One request and its answer. */
export class Exchange {
  readonly door: Door;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query. */
  readonly path: string;
  readonly sent: Passing;
  readonly answered: Passing;
  readonly deps: TapDeps;
  sentNs = 0;
  answeredNs = 0;
  status = 0;
  /** Nobody wants its answer. */
  ignored = false;
  taken: Taken | undefined;
  /** Where the proxy passes it on. */
  passedOn: Place | undefined;
  /** What `writeHead` was given. */
  headers: OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined;
  /** What was there before. */
  readonly push: IncomingMessage['push'];
  readonly writeHead: Written;
  readonly write: Written;
  readonly end: Written;

  constructor(door: Door, path: string, request: IncomingMessage, response: ServerResponse, deps: TapDeps) {
    this.door = door;
    this.path = path;
    this.request = request;
    this.response = response;
    this.sent = new Passing(deps.maxBodyBytes);
    this.answered = new Passing(deps.maxBodyBytes);
    this.deps = deps;
    this.push = request.push;
    this.writeHead = response.writeHead as Written;
    this.write = response.write as Written;
    this.end = response.end as Written;
  }
}

/** Under which a request and its answer know their exchange: no functions are made for each. */
const tapped = Symbol('traffic');

interface Tapped {
  [tapped]?: Exchange;
}

/** What is taken down of a request; undefined for one that brings no calls. */
export const exchangeOf = (request: IncomingMessage): Exchange | undefined => (request as Tapped)[tapped];

const of = (each: object): Exchange => (each as Required<Tapped>)[tapped];

function push(this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding): boolean {
  const exchange = of(this);
  if (chunk === null) {
    exchange.sentNs = exchange.deps.nowNs();
    exchange.deps.onSent(exchange);
  } else exchange.sent.add(chunk, encoding);
  return exchange.push.call(this, chunk, encoding);
}

function writeHead(this: ServerResponse, ...given: unknown[]): unknown {
  const exchange = of(this);
  exchange.headers = given.find(each => typeof each === 'object') as Exchange['headers'];
  return exchange.writeHead.apply(this, given);
}

function write(this: ServerResponse, ...given: unknown[]): unknown {
  const exchange = of(this);
  if (!exchange.ignored) exchange.answered.add(given[0], given[1]);
  return exchange.write.apply(this, given);
}

function end(this: ServerResponse, ...given: unknown[]): unknown {
  const exchange = of(this);
  if (!exchange.ignored) exchange.answered.add(given[0], given[1]);
  return exchange.end.apply(this, given);
}

function closed(this: ServerResponse): void {
  const exchange = of(this);
  if (exchange.ignored) return;
  exchange.answeredNs = exchange.deps.nowNs();
  // Nothing was sent to a client that went away before.
  exchange.status = this.headersSent ? this.statusCode : 0;
  exchange.deps.onAnswered(exchange);
}

/** A listener for the `request` event of the HTTP server, before those that serve. */
export function createTap(deps: TapDeps) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'POST') return;
    const { url = '' } = request;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const door = doorOf(path, deps.endpoint);
    if (door === undefined) return;
    const exchange = new Exchange(door, path, request, response, deps);
    (request as Tapped)[tapped] = exchange;
    (response as Tapped)[tapped] = exchange;
    request.push = push;
    response.writeHead = writeHead as ServerResponse['writeHead'];
    response.write = write as ServerResponse['write'];
    response.end = end as ServerResponse['end'];
    response.once('close', closed);
  };
}
