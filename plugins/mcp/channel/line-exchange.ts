/** One message that came on a session's channel, and its answer: what `Exchange` is to a message that came by POST. */
import type { IncomingMessage } from 'node:http';
import { type Reply, replyText } from '../../../kernel/index.ts';
import type { Carried } from '../../guard/api.ts';
import type { Exchanging } from '../exchange.ts';
import type { Session } from '../sessions/session.ts';
import type { Frame } from '../streams/frame.ts';

/** What exchanges know of their channel. */
export interface Carrier {
  readonly session: Session;
  /** What its messages are held to, where callers authenticate. */
  readonly carried: Carried | undefined;
  /** The request that opened it. */
  readonly request: IncomingMessage;
  /** False when it is closed. */
  write(line: string): boolean;
}

export class LineExchange implements Exchanging {
  readonly #carrier: Carrier;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  get session(): Session {
    return this.#carrier.session;
  }

  get request(): IncomingMessage {
    return this.#carrier.request;
  }

  emit(frame: Frame): boolean {
    const { session } = this;
    return !session.ended && session.admits(frame) && this.#carrier.write(frame.text);
  }

  /** There is no stream that could be taken up again. */
  closeStream(): void {}

  settle(reply: Reply | undefined): void {
    this.#carrier.carried?.end();
    if (reply !== undefined) this.#carrier.write(replyText(reply));
  }
}
