/** Messages to one instance over its pools: the HTTP below the gateway's MCP session. */
import type { EventSourceMessage } from 'eventsource-parser';
import type { Pool } from 'undici';
import { type Answer, parseMessage, readMessage, readReply } from './answer.ts';
import type { Abortable } from './api.ts';
import { type Failure, failureOf } from './failure.ts';
import { type Held, HttpExchange, headerOf, type Reply } from './http-exchange.ts';

export interface WireParts {
  pool: Pool;
  /** Path of the MCP endpoint. */
  path: string;
  maxBytes: number;
}

export interface Posting {
  /** Request id; undefined for a notification or a response. */
  id: number | undefined;
  body: string;
  headers: readonly string[];
  timeoutMs: number;
  signal?: Abortable | undefined;
  /** Takes the messages that come before the answer. */
  onMessage?: (message: Record<string, unknown>) => void;
}

export interface Posted extends Answer {
  readonly status: number;
  /** The session that the answer names. */
  readonly sessionId?: string | undefined;
}

export interface Wire {
  /** Sends one message; never rejects. */
  post(posting: Posting): Promise<Posted>;
  /** One plain request; never rejects. */
  fetch(request: PlainRequest): Promise<{ failure?: Failure; reply?: Reply }>;
}

export interface PlainRequest {
  method: string;
  path: string;
  headers: readonly string[];
  body?: string | undefined;
  timeoutMs: number;
  signal?: Abortable | undefined;
  /** Another pool than that of the calls. */
  pool?: Pool;
}

/** Answers of the greatest size that may be under way together. */
const answersAtOnce = 2;

export function createWire({ pool, path, maxBytes }: WireParts): Wire {
  const held: Held = { bytes: 0, maxBytes: maxBytes * answersAtOnce };

  /** undici throws for a header or path that cannot be sent; that is a failure like any other. */
  const send = (
    through: Pool,
    exchange: HttpExchange,
    request: Pick<PlainRequest, 'method' | 'path' | 'headers' | 'body'>,
  ): void => {
    const { method, path: target, headers, body } = request;
    try {
      through.dispatch(
        { method: method as 'POST', path: target, headers: headers as string[], body: body ?? null },
        exchange,
      );
    } catch (error) {
      exchange.stop(failureOf(error as Error));
    }
  };

  return {
    post: ({ id, body, headers, timeoutMs, signal, onMessage }) =>
      new Promise(resolve => {
        let streamed: Answer | undefined;
        const onEvent = (event: EventSourceMessage): void => {
          const message = parseMessage(event.data);
          if (message === undefined) return;
          const answer = id === undefined ? undefined : readMessage(message, id);
          if (!answer) {
            onMessage?.(message);
            return;
          }
          streamed = answer;
          exchange.finish();
        };
        const exchange = new HttpExchange(
          { timeoutMs, maxBytes, held, ...(signal && { signal }), onEvent },
          (failure, reply) => {
            if (failure || !reply) return resolve({ status: 0, failure: failure ?? endless });
            const { status } = reply;
            const sessionId = headerOf(reply.headers, 'mcp-session-id');
            if (streamed) return resolve({ status, sessionId, ...streamed });
            if (id === undefined && status >= 200 && status < 300) return resolve({ status, sessionId });
            const answer = readReply(reply, id ?? -1);
            resolve({ status, sessionId, ...answer });
          },
        );
        send(pool, exchange, { method: 'POST', path, headers, body });
      }),

    fetch: request =>
      new Promise(resolve => {
        const { timeoutMs, signal } = request;
        const exchange = new HttpExchange({ timeoutMs, maxBytes, held, ...(signal && { signal }) }, (failure, reply) =>
          resolve(failure ? { failure } : { reply: reply as Reply }),
        );
        send(request.pool ?? pool, exchange, request);
      }),
  };
}

const endless: Failure = { kind: 'broken', reason: 'no answer came' };
