/** One message that came on a session's channel, and its answer: what `Exchange` is to a message that came by POST. */
import type { IncomingMessage } from 'node:http';
import { type Reply, type RpcId, replyText } from '../../../kernel/index.ts';
import { belongingLine } from '../../../schemas/channel.ts';
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
  /** Bytes that may wait for the other side to read them before what is no answer is left out. */
  readonly backlog: number;
  /** Bytes that wait. */
  waiting(): number;
  /** False when it is closed. */
  write(line: string): boolean;
}

export class LineExchange implements Exchanging {
  readonly #carrier: Carrier;
  readonly #id: RpcId | undefined;
  #settled = false;

  /** `id`: of the request. */
  constructor(carrier: Carrier, id: RpcId | undefined) {
    this.#carrier = carrier;
    this.#id = id;
  }

  get session(): Session {
    return this.#carrier.session;
  }

  get request(): IncomingMessage {
    return this.#carrier.request;
  }

  emit(frame: Frame): boolean {
    const { session } = this;
    const carrier = this.#carrier;
    if (this.#settled || session.ended || !session.admits(frame) || carrier.waiting() > carrier.backlog) return false;
    return carrier.write(typeof this.#id === 'number' ? belongingLine(this.#id, frame.text) : frame.text);
  }

  /** There is no stream that could be taken up again. */
  closeStream(): void {}

  settle(reply: Reply | undefined): void {
    this.#settled = true;
    this.#carrier.carried?.end();
    if (reply !== undefined) this.#carrier.write(replyText(reply));
  }
}
