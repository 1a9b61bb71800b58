/** One HTTP request to an instance, by hand on undici's dispatch: a deadline, a bound on the answer, events as they come. */
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { Abortable } from '../api.ts';
import type { Failure } from '../failure.ts';
import { failureOf } from './failures.ts';
import { headerOf, type Reply } from './reply.ts';

/** Bytes of unfinished answers over all requests to one instance: each may be large, not all of them at once. */
export interface Held {
  bytes: number;
  readonly maxBytes: number;
}

export interface ExchangeOptions {
  /** For the whole answer; for an event stream without `onEvent` and for `onOpen` streams, until the head. */
  timeoutMs: number;
  maxBytes: number;
  held?: Held;
  signal?: Abortable;
  /** Takes the events of an answer that is an event stream; without it such an answer is read like any other. */
  onEvent?: (event: EventSourceMessage) => void;
  /** The head of an event stream has come: the deadline ends here, the stream may last. */
  onOpen?: () => void;
}

export type Settled = (failure: Failure | undefined, reply: Reply | undefined) => void;

const nothing = Buffer.alloc(0);
/** How long a stream may go on after the answer that it was opened for. */
const lingerMs = 1000;

export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #settled: Settled;
  #timer: NodeJS.Timeout | undefined;
  #abort: ((error?: Error) => void) | undefined;
  #done = false;
  #holds = 0;
  #status = 0;
  #headers: readonly Buffer[] = [];
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #size = 0;
  #held = 0;
  #events: EventSourceParser | undefined;
  #decoder: StringDecoder | undefined;

  constructor(options: ExchangeOptions, settled: Settled) {
    this.#options = options;
    this.#settled = settled;
    this.#arm();
    const { signal } = options;
    if (signal?.aborted) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel, { once: true });
  }

  /** Settles with `failure` and cuts the connection. */
  stop(failure: Failure): void {
    this.#settle(failure, undefined);
    this.#cut();
  }

  /** The deadline stands still until what this returns is called, and begins anew then. */
  hold(): () => void {
    this.#holds += 1;
    clearTimeout(this.#timer);
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0 && !this.#done) this.#arm();
    };
  }

  /** Settles although the stream has not ended: what it was for has come. */
  finish(): void {
    if (this.#done) return;
    this.#settle(undefined, { status: this.#status, headers: this.#headers, body: nothing });
    // A stream that ends by itself leaves its connection for the next request.
    this.#timer = setTimeout(() => this.#cut(), lingerMs).unref();
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    // Settled while it waited for a connection: it must not be sent any more.
    if (this.#done) abort();
  }

  onHeaders(status: number, headers: Buffer[], _resume: () => void): boolean {
    if (status < 200) return true;
    this.#status = status;
    this.#headers = headers;
    const { onEvent, onOpen, maxBytes } = this.#options;
    if (onEvent && status === 200 && headerOf(headers, 'content-type')?.startsWith('text/event-stream')) {
      this.#decoder = new StringDecoder('utf8');
      this.#events = createParser({
        onEvent: event => {
          this.#size = 0;
          if (!this.#done) onEvent(event);
        },
        onComment: () => {
          this.#size = 0;
        },
      });
      if (onOpen) {
        clearTimeout(this.#timer);
        onOpen();
      }
    } else if (Number(headerOf(headers, 'content-length') ?? 0) > maxBytes) {
      this.stop({ kind: 'too-large', reason: `more than ${maxBytes} bytes` });
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#done && !this.#events) return true;
    this.#size += chunk.length;
    if (this.#size > this.#options.maxBytes) {
      this.stop({ kind: 'too-large', reason: `more than ${this.#options.maxBytes} bytes` });
    } else if (this.#events) this.#events.feed((this.#decoder as StringDecoder).write(chunk));
    else this.#keep(chunk);
    return true;
  }

  onComplete(): void {
    clearTimeout(this.#timer);
    if (this.#done) return;
    const body = this.#more ? Buffer.concat(this.#more) : (this.#first ?? nothing);
    this.#settle(undefined, { status: this.#status, headers: this.#headers, body });
  }

  onError(error: Error): void {
    this.#settle(failureOf(error), undefined);
    clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#timer = setTimeout(() => this.stop({ kind: 'timeout', reason: 'deadline' }), this.#options.timeoutMs);
  }

  readonly #cancel = (): void => this.stop({ kind: 'cancelled', reason: 'the caller gave up' });

  #settle(failure: Failure | undefined, reply: Reply | undefined): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#cancel);
    this.#first = undefined;
    this.#more = undefined;
    if (this.#options.held) this.#options.held.bytes -= this.#held;
    this.#held = 0;
    this.#settled(failure, reply);
  }

  /** The first chunk is most often all of it, and not counted: counting is for those that pile up. */
  #keep(chunk: Buffer): void {
    if (!this.#first) {
      this.#first = chunk;
      return;
    }
    this.#more ??= [this.#first];
    this.#more.push(chunk);
    const { held } = this.#options;
    if (!held) return;
    held.bytes += chunk.length;
    this.#held += chunk.length;
    if (held.bytes > held.maxBytes) {
      this.stop({ kind: 'overloaded', reason: `its unfinished answers hold more than ${held.maxBytes} bytes` });
    }
  }

  #cut(): void {
    this.#events = undefined;
    this.#abort?.();
  }
}
