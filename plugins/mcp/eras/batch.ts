/** The answers of a JSON-RPC batch: one array, or one event each once a message was emitted in between. */
import { encodeError, type Reply, type RpcId, replyText } from '../../../kernel/index.ts';
import type { Exchange } from '../exchange.ts';
import { Frame } from '../streams/frame.ts';

export class Batch {
  readonly #exchange: Exchange;
  readonly #replies: string[] = [];
  // The batch itself counts as one, so that it cannot end before its last message has begun.
  #open = 1;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Announces an answer that `settle` will bring. */
  expect(): void {
    this.#open += 1;
  }

  settle(reply: Reply | undefined): void {
    if (reply !== undefined) this.#replies.push(replyText(reply));
    if (this.#exchange.streaming) this.#flush();
    this.#open -= 1;
    if (this.#open > 0) return;
    if (this.#exchange.streaming) this.#exchange.finish();
    else this.#exchange.settle(this.#replies.length > 0 ? `[${this.#replies.join(',')}]` : undefined);
  }

  /** Answers a message that cannot be served. */
  refuse(id: RpcId, error: Error): void {
    this.settle(encodeError(id, error, 'session'));
  }

  /** Says that every message has begun. */
  close(): void {
    this.settle(undefined);
  }

  #flush(): void {
    for (const reply of this.#replies.splice(0)) this.#exchange.emit(new Frame(reply));
  }
}
