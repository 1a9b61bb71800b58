/** One connection that receives an event stream: framing, heartbeat, and the cap that cuts off who does not read. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Frame } from './frame.ts';

export class SseClient {
  readonly #response: ServerResponse;
  readonly #maxBytes: number;
  #quiet = true;

  /** Sends the response head at once, so that the client knows the stream is open. */
  constructor(response: ServerResponse, maxBytes: number, headers: OutgoingHttpHeaders | undefined) {
    this.#response = response;
    this.#maxBytes = maxBytes;
    // A response that breaks while it is written to is a closed stream, not a failure of the server.
    response.on('error', () => response.destroy());
    // A stream of its own ends with its connection: without chunks an event is one write to the socket instead of four.
    if (response.req.method === 'GET') response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
  }

  get open(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Runs `listener` when the connection is gone or the stream has ended. */
  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  /** An event with an id and no data: lets the client resume a stream that breaks before its first message. */
  prime(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  /** False when the client is gone or was cut off. */
  send(id: string, frame: Frame): boolean {
    const { shared } = frame;
    if (!shared) return this.#write(`id: ${id}\n${frame.text}`);
    return this.#write(`id: ${id}\n`, shared);
  }

  /** A comment line, unless something was written since the last one. */
  beat(): void {
    if (this.#quiet) this.#write(':\n\n');
    this.#quiet = true;
  }

  end(): void {
    if (this.open) this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  #write(text: string, bytes?: Buffer): boolean {
    if (!this.open) return false;
    // Checked before the write: one large message may exceed the cap, a backlog may not.
    if (this.#response.writableLength > this.#maxBytes) {
      this.destroy();
      return false;
    }
    this.#quiet = false;
    this.#response.write(text);
    if (bytes) this.#response.write(bytes);
    return true;
  }
}
