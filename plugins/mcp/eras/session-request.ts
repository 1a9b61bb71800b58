/** One JSON-RPC request in flight: the context that its handler sees. Everything costly is made on first use. */
import type { IncomingMessage } from 'node:http';
import type { Era, Reply, RpcContext, RpcId } from '../../../kernel/index.ts';
import { encodeError } from '../../../kernel/index.ts';
import type { Json } from '../../../schemas/loose.ts';
import { askedCapabilities, isGateway, letGo, withKey } from '../../../schemas/on-behalf.ts';
import type { Exchanging } from '../exchange.ts';
import { assertAskable } from '../sessions/askable.ts';
import type { InFlight, Session } from '../sessions/session.ts';
import { type Frame, notificationFrame } from '../streams/frame.ts';
import { Cancellable } from './cancellable.ts';

/** Where the answer of a request goes: the exchange itself, or the batch that the request is part of. */
export interface Sink {
  settle(reply: Reply | undefined): void;
}

export class Request extends Cancellable implements RpcContext, InFlight {
  readonly requestId: string | number | undefined;
  readonly #exchange: Exchanging;
  readonly #sink: Sink;
  readonly #params: unknown;
  #done = false;

  constructor(requestId: string | number | undefined, exchange: Exchanging, sink: Sink, params: unknown) {
    super();
    this.#params = params;
    this.requestId = requestId;
    this.#exchange = exchange;
    this.#sink = sink;
  }

  get era(): Era {
    return 'session';
  }

  get http(): IncomingMessage {
    return this.#exchange.request;
  }

  get session(): Session {
    return this.#exchange.session;
  }

  get protocolVersion(): string {
    return this.#exchange.session.protocolVersion;
  }

  get clientInfo(): Session['clientInfo'] {
    return this.#exchange.session.clientInfo;
  }

  get clientCapabilities(): Session['clientCapabilities'] {
    return askedCapabilities(this.#exchange.session.clientCapabilities, this.#params);
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (!this.#done) this.#exchange.emit(notificationFrame(method, params));
  }

  async request(method: string, asked: Json, timeoutMs: number, key?: string, off?: AbortSignal): Promise<unknown> {
    assertAskable(method, asked, this.clientCapabilities);
    const { session } = this;
    // A session knows no keys; the client behind a gateway may.
    const params = key !== undefined && isGateway(session.clientCapabilities) ? withKey(asked, key) : asked;
    // What is said of a question after the request is answered goes to the stream that is left.
    const send = (frame: Frame): boolean => this.#exchange.emit(frame) || (session.standing?.send(frame) ?? false);
    return session.questions.ask({ method, params, timeoutMs, signal: off ?? this.signal, send });
  }

  closeStream(retryMs: number): void {
    if (this.#done) return;
    if (isGateway(this.session.clientCapabilities)) this.notify(letGo, { retry_ms: retryMs });
    else this.#exchange.closeStream(retryMs);
  }

  /** Registers the request as running until its promise settles. */
  run(id: string | number, outcome: Promise<Reply | undefined>): void {
    this.session.beginCall(id, this);
    void outcome.then(reply => this.finish(reply));
  }

  /** Sends the answer; later answers, and what a cancelled handler still returns, are dropped. */
  finish(reply: Reply | undefined): void {
    if (this.#done) return;
    this.#done = true;
    if (this.requestId !== undefined) this.session.endCall(this.requestId, this);
    this.#sink.settle(reply);
  }

  cancel(reason: string, error?: Error): void {
    if (this.#done) return;
    // The abort comes first: a question to the client must still be able to say that it is off.
    this.tellCancelled(reason);
    this.finish(error && encodeError((this.requestId ?? null) as RpcId, error, 'session'));
  }
}
