/**
 * One POST of the sessionless era and its answer: plain JSON, or an event stream from the first message that is emitted
 * before it. The connection is the request: who closes it gives the request up.
 */
import type { IncomingMessage } from 'node:http';
import type { Reply, RpcId } from '../../../kernel/index.ts';
import type { Connection, OpenClient } from '../exchange.ts';
import { sendReply } from '../http-answer.ts';
import { Frame, notificationFrame } from '../streams/frame.ts';
import { levelRank } from '../streams/levels.ts';
import type { SseClient } from '../streams/sse-client.ts';
import { type Ending, headOf } from './complete.ts';
import { envelope } from './era.ts';

type Fields = Readonly<Record<string, unknown>>;

export class Answer {
  readonly id: RpcId;
  readonly meta: Fields;
  readonly #connection: Connection;
  readonly #openClient: OpenClient;
  #client: SseClient | undefined;
  #settled = false;

  constructor(id: RpcId, meta: Fields, connection: Connection, openClient: OpenClient) {
    this.id = id;
    this.meta = meta;
    this.#connection = connection;
    this.#openClient = openClient;
  }

  get request(): IncomingMessage {
    return this.#connection.request;
  }

  /** Sends what this request asked for: progress to its token, log messages from its level on. Anything else is dropped. */
  notify(method: string, params: Fields): void {
    const told = this.#wanted(method, params);
    if (!told || this.#settled) return;
    if (!this.#client) {
      const { request, response } = this.#connection;
      if (!request.headers.accept?.includes('text/event-stream') || response.destroyed) return;
      this.#client = this.#openClient(this.#connection);
    }
    this.#client.say(notificationFrame(method, told));
  }

  settle({ status, tail }: Ending): void {
    if (this.#settled) return;
    this.#settled = true;
    const reply = answered(this.id, tail);
    if (this.#client) {
      this.#client.say(new Frame(typeof reply === 'string' ? reply : reply.head + reply.bytes.toString('utf8')));
      this.#client.end();
    } else sendReply(this.#connection.response, status, reply, this.#connection.extra);
  }

  /** Calls `listener` when the client goes away before it has its answer. */
  onGone(listener: () => void): void {
    const gone = (): void => {
      if (this.#settled) return;
      this.#settled = true;
      listener();
    };
    if (this.#connection.response.destroyed) gone();
    else this.#connection.response.once('close', gone);
  }

  #wanted(method: string, params: Fields): Record<string, unknown> | undefined {
    if (method === 'notifications/progress') {
      const { progressToken } = this.meta;
      return isToken(progressToken) ? { ...params, progressToken } : undefined;
    }
    if (method !== 'notifications/message') return undefined;
    const least = levelRank(this.meta[envelope.logLevel]);
    return least !== undefined && (levelRank(params.level) ?? -1) >= least ? params : undefined;
  }
}

function answered(id: RpcId, tail: Reply): Reply {
  const head = headOf(id);
  return typeof tail === 'string' ? head + tail : { head: head + tail.head, bytes: tail.bytes };
}

/** What no client could have meant as a token is none. */
const isToken = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);
