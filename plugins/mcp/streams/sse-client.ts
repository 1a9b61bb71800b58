/** One connection that receives an event stream: framing, heartbeat, and the cap that cuts off who does not read. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { Frame } from './frame.ts';

const noListeners: readonly (() => void)[] = [];
const noHeaders = {};
const noRawHeaders: string[] = [];

/** Lets go of the head of a request that has been read: an open stream holds its request for as long as it lasts. */
function forgetHead(request: IncomingMessage): void {
  request.headers = noHeaders;
  request.rawHeaders = noRawHeaders;
}

export class SseClient {
  readonly #response: ServerResponse;
  /** Where events are written: the socket itself where nothing else can come between. */
  readonly #target: Writable;
  readonly #maxBytes: number;
  #onClose = noListeners;
  #open: boolean;
  #quiet = true;

  /** Sends the response head at once, so that the client knows the stream is open. */
  constructor(response: ServerResponse, maxBytes: number, headers: OutgoingHttpHeaders | undefined) {
    this.#response = response;
    this.#maxBytes = maxBytes;
    this.#open = !response.destroyed;
    // A response that breaks while it is written to is a closed stream, not a failure of the server.
    response.on('error', () => this.destroy());
    response.on('close', () => this.#closed());
    // A stream of its own ends with its connection: without chunks an event is one write to the socket instead of four.
    const standing = response.req.method === 'GET';
    if (standing) response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    if (standing) forgetHead(response.req);
    // The body of a response without chunks is what its socket is given: past the response a write costs half. One that
    // waits for its turn behind an earlier response has no socket yet.
    this.#target = (!response.chunkedEncoding && response.socket) || response;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Runs `listener` when the connection is gone, be it that the stream has ended; at once when it already is. */
  onClose(listener: () => void): void {
    if (this.#response.closed) listener();
    // Not pushed: that makes room for sixteen more, in each of thousands of clients.
    else this.#onClose = this.#onClose.concat(listener);
  }

  /** An event with an id and no data: lets the client resume a stream that breaks before its first message. */
  prime(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  /** Ends the connection of a stream that goes on: the client comes back in `retryMs`. */
  dismiss(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`);
    this.end();
  }

  /** An event that is no message: it has a name of its own and no id. */
  greet(event: string): void {
    this.#write(event);
  }

  /** False when the client is gone or was cut off. */
  send(id: string, frame: Frame): boolean {
    const { content } = frame;
    if (typeof content === 'string') return this.#write(`id: ${id}\n${content}`);
    return this.#write(`id: ${id}\n`, content);
  }

  /** A message of a stream that nobody can resume: it has no id. */
  say({ content }: Frame): boolean {
    return typeof content === 'string' ? this.#write(content) : this.#write('', content);
  }

  /** A comment line, unless something was written since the last one. */
  beat(): void {
    if (this.#quiet) this.#write(':\n\n');
    this.#quiet = true;
  }

  end(): void {
    if (this.#open) this.#response.end();
    this.#open = false;
  }

  destroy(): void {
    this.#open = false;
    this.#response.destroy();
  }

  #closed(): void {
    this.#open = false;
    const listeners = this.#onClose;
    this.#onClose = noListeners;
    for (const listener of listeners) listener();
  }

  #write(text: string, bytes?: Buffer): boolean {
    if (!this.#open) return false;
    // Checked before the write: one large message may exceed the cap, a backlog may not.
    if (this.#target.writableLength > this.#maxBytes) {
      this.destroy();
      return false;
    }
    this.#quiet = false;
    if (!bytes) {
      this.#target.write(text);
      return true;
    }
    // Corked, the two are one write to the system.
    this.#target.cork();
    this.#target.write(text);
    this.#target.write(bytes);
    this.#target.uncork();
    return true;
  }
}
