/**
 * One HTTP request of a session and its answer: plain JSON, or an event stream from the first message that is emitted
 * before the answer. A connection that breaks does not end the exchange: its stream goes on being kept for replay.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Reply, replyText } from '../../kernel/index.ts';
import { primesStreams } from './eras/revision.ts';
import { type ExtraHeaders, sendEmpty, sendReply } from './http-answer.ts';
import type { Session } from './sessions/session.ts';
import type { EventStream } from './streams/event-stream.ts';
import { Frame } from './streams/frame.ts';
import type { SseClient } from './streams/sse-client.ts';

/** The connection of a request, as the HTTP route hands it over. */
export interface Connection {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** CORS headers, when they are on. */
  readonly extra: ExtraHeaders;
}

/** Turns a response into a receiver of events. */
export type OpenClient = (connection: Connection) => SseClient;

/** What a request in flight needs of the exchange that it came by. */
export interface Exchanging {
  readonly session: Session;
  readonly request: IncomingMessage;
  /** Sends a message before the answer; false when it was dropped. */
  emit(frame: Frame): boolean;
  /** Lets the client go until `retryMs` have passed; nothing where it could not come back for the answer. */
  closeStream(retryMs: number): void;
  /** Sends one answer and ends the exchange; without a reply it just ends. */
  settle(reply: Reply | undefined): void;
}

export class Exchange implements Exchanging {
  readonly session: Session;
  readonly #connection: Connection;
  readonly #openClient: OpenClient;
  #stream: EventStream | undefined;
  #finished = false;

  constructor(session: Session, connection: Connection, openClient: OpenClient) {
    this.session = session;
    this.#connection = connection;
    this.#openClient = openClient;
  }

  get request(): IncomingMessage {
    return this.#connection.request;
  }

  get streaming(): boolean {
    return this.#stream !== undefined;
  }

  emit(frame: Frame): boolean {
    const { session } = this;
    if (this.#finished || session.ended || !session.admits(frame)) return false;
    // Without a stream of its own the message may still reach the client on the standing one.
    const stream = this.#stream ?? (this.#takesStream ? this.#open() : session.standing);
    return stream?.send(frame) ?? false;
  }

  closeStream(retryMs: number): void {
    const { session } = this;
    if (this.#finished || session.ended || !primesStreams(session.protocolVersion) || !session.kept.keeps) return;
    if (this.#stream || this.#takesStream) (this.#stream ?? this.#open()).dismiss(retryMs);
  }

  settle(reply: Reply | undefined): void {
    if (this.#finished) return;
    if (!this.#stream) {
      if (reply === undefined || takesJson(this.#connection.request.headers.accept)) {
        this.#finished = true;
        const { response, extra } = this.#connection;
        if (reply === undefined) sendEmpty(response, 202, extra);
        else sendReply(response, 200, reply, extra);
        return;
      }
      this.#open();
    }
    if (reply !== undefined) this.#stream?.send(new Frame(replyText(reply)));
    this.finish();
  }

  /** Ends the stream after its last message. */
  finish(): void {
    this.#finished = true;
    if (this.#stream) this.session.closeStream(this.#stream);
  }

  get #takesStream(): boolean {
    const { request, response } = this.#connection;
    return !response.destroyed && (request.headers.accept?.includes('text/event-stream') ?? false);
  }

  #open(): EventStream {
    const stream = this.session.openStream();
    this.#stream = stream;
    stream.attach(this.#openClient(this.#connection), undefined, primesStreams(this.session.protocolVersion));
    return stream;
  }
}

/** Lenient: only a client that asks for an event stream and nothing else gets no JSON. */
const takesJson = (accept: string | undefined): boolean =>
  accept === undefined || !accept.includes('text/event-stream') || accept.includes('json') || accept.includes('*/*');
