/** Messages to one instance over its pools: the HTTP below the gateway's MCP session. */
import type { EventSourceMessage } from 'eventsource-parser';
import type { Pool } from 'undici';
import { channelHeader } from '../../../../schemas/channel.ts';
import { type Answer, parseMessage, readMessage } from '../answer.ts';
import type { Posted, Posting } from '../driver.ts';
import type { Failure } from '../failure.ts';
import { type Held, HttpExchange } from './exchange.ts';
import { failureOf } from './failures.ts';
import { headerOf, type Reply, readReply } from './reply.ts';

export interface WireParts {
  /** Keep-alive connections for calls, bounded. */
  pool: Pool;
  /** Path of the MCP endpoint. */
  path: string;
  maxBytes: number;
  onMessage(message: Record<string, unknown>): void;
}

export type Wire = ReturnType<typeof createWire>;

export interface PlainRequest {
  method: string;
  path: string;
  headers?: readonly string[];
  timeoutMs: number;
  /** Another pool than that of the calls. */
  pool?: Pool;
}

/** Answers of the greatest size that may be under way together. */
const answersAtOnce = 2;

export function createWire({ pool, path, maxBytes, onMessage: toAll }: WireParts) {
  const held: Held = { bytes: 0, maxBytes: maxBytes * answersAtOnce };

  /** undici throws for a header or path that cannot be sent; that is a failure like any other. */
  const send = (
    through: Pool,
    exchange: HttpExchange,
    request: { method: string; path: string; headers: readonly string[]; body: string | null },
  ): void => {
    try {
      through.dispatch(
        { ...request, method: request.method as 'POST', headers: request.headers as string[] },
        exchange,
      );
    } catch (error) {
      exchange.stop(failureOf(error as Error));
    }
  };

  return {
    /** Sends one message; never rejects. `known`: the headers name a session, so that a 404 says it is forgotten. */
    post: (posting: Posting, headers: readonly string[], known: boolean) =>
      new Promise<Posted & { sessionId?: string | undefined; channels?: boolean }>(resolve => {
        const { id, body, timeoutMs, signal, onMessage = toAll } = posting;
        let streamed: Answer | undefined;
        const hold = () => exchange.hold();
        const onEvent = (event: EventSourceMessage): void => {
          const message = parseMessage(event.data);
          if (message === undefined) return;
          const answer = id === undefined ? undefined : readMessage(message, id);
          if (!answer) {
            onMessage(message, hold);
            return;
          }
          streamed = answer;
          exchange.finish();
        };
        const exchange = new HttpExchange(
          { timeoutMs, maxBytes, held, ...(signal && { signal }), onEvent },
          (failure, reply) => {
            if (failure || !reply) return resolve({ failure: failure ?? endless });
            const { status } = reply;
            const forgotten = known && status === 404;
            const sessionId = headerOf(reply.headers, 'mcp-session-id');
            if (id === undefined && status >= 200 && status < 300) return resolve({ forgotten, sessionId });
            const answer = streamed ?? readReply(reply, id ?? -1);
            // Servers tell of a session that they lost by many a status, and by errors of any number.
            const doubtful = isRefusal(status) || (known && answer.error !== undefined);
            const channels = headerOf(reply.headers, channelHeader) !== undefined;
            resolve({ forgotten, doubtful, sessionId, channels, ...answer });
          },
        );
        send(pool, exchange, { method: 'POST', path, headers, body });
      }),

    /** One plain request; never rejects. */
    fetch: ({ method, path: target, headers = [], timeoutMs, pool: through = pool }: PlainRequest) =>
      new Promise<{ failure: Failure; reply?: never } | { failure?: never; reply: Reply }>(resolve => {
        // A stream would never end: that there is one is the answer.
        const onOpen = (): void => exchange.finish();
        const exchange = new HttpExchange(
          { timeoutMs, maxBytes, held, onEvent: () => undefined, onOpen },
          (failure, reply) => resolve(failure ? { failure } : { reply: reply as Reply }),
        );
        send(through, exchange, { method, path: target, headers, body: null });
      }),
  };
}

/** Refused for what it was, and not because there is too much to do. */
const isRefusal = (status: number): boolean => status >= 400 && status !== 429 && status !== 503;

const endless: Failure = { kind: 'broken', reason: 'no answer came' };
