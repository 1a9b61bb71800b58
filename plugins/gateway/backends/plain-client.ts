/** Plain HTTP to an instance: its REST twin and its event streams. */
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { Pool } from 'undici';
import { rpcErrors } from '../../../kernel/index.ts';
import type { HttpAnswer, HttpOptions, StreamEvent } from './api.ts';
import { backendErrors } from './errors.ts';
import { type Asked, errorOf, type Failure, failureOf, isWorthRepeating, naming, saysOfInstance } from './failure.ts';
import type { Gate } from './gate.ts';
import type { Reply } from './http-exchange.ts';
import type { Wire } from './wire.ts';

const repeats = 2;
const firstPauseMs = 50;

export interface PlainClientParts {
  asked: Asked;
  gate: Gate;
  wire: Wire;
  streams: Pool;
  /** What REST paths are appended to, without the origin. */
  prefix: string;
  timeoutMs: number;
  maxBytes: number;
  onFailure(failure: Failure): void;
}

export interface PlainClient {
  http(method: string, path: string, options?: HttpOptions): Promise<HttpAnswer>;
  stream(
    path: string,
    options: { signal: AbortSignal; headers?: Record<string, string> },
  ): Promise<AsyncIterable<StreamEvent>>;
}

export function createPlainClient(parts: PlainClientParts): PlainClient {
  const { asked, gate, wire, streams, prefix, maxBytes } = parts;

  return {
    async http(method, path, options = {}) {
      const { body, signal, timeoutMs = parts.timeoutMs } = options;
      const what = `${method} ${path}`;
      const headers = Object.entries(options.headers ?? {}).flat();
      const end = Date.now() + timeoutMs;
      for (let repeat = 0; ; repeat += 1) {
        gate.enter();
        const left = Math.max(1, end - Date.now());
        const { failure, reply } = await wire.fetch({
          method,
          path: prefix + path,
          headers,
          body,
          timeoutMs: left,
          signal,
        });
        gate.leave(saysOfInstance(failure));
        if (reply) return plainAnswer(reply);
        if (!failure) continue;
        parts.onFailure(failure);
        const pause = firstPauseMs * 2 ** repeat * (0.5 + Math.random());
        const again = options.idempotent === true && repeat < repeats && isWorthRepeating(failure.kind);
        if (!again || Date.now() + pause > end) throw errorOf(failure, asked, what, { timeoutMs, maxBytes });
        await new Promise(resolve => setTimeout(resolve, pause));
      }
    },

    async stream(path, { signal, headers }) {
      const limits = { timeoutMs: parts.timeoutMs, maxBytes };
      const what = `GET ${path}`;
      try {
        const {
          statusCode,
          headers: head,
          body,
        } = await streams.request({
          method: 'GET',
          path: prefix + path,
          headers: { accept: 'text/event-stream', ...headers },
          signal,
          headersTimeout: parts.timeoutMs,
        });
        // A body that is cut tells of it, to whoever reads it then or to nobody.
        body.on('error', () => undefined);
        if (statusCode === 200 && String(head['content-type']).startsWith('text/event-stream')) {
          return events(body, error => errorOf(signal.aborted ? cancelled : failureOf(error), asked, what, limits));
        }
        body.destroy();
        const reason = `status ${statusCode}, ${String(head['content-type'])} instead of an event stream`;
        throw backendErrors.BAD_ANSWER({ ...naming(asked, false), what, reason, status: statusCode });
      } catch (error) {
        if (signal.aborted) throw rpcErrors.CANCELLED({ reason: cancelled.reason });
        if ((error as { row?: unknown }).row !== undefined) throw error;
        const failure = failureOf(error as Error);
        parts.onFailure(failure);
        throw errorOf(failure, asked, what, limits);
      }
    },
  };
}

const cancelled: Failure = { kind: 'cancelled', reason: 'the caller gave up' };

type Body = Awaited<ReturnType<Pool['request']>>['body'];

/** The events of a body, as fast as they are taken: who does not take them holds back the instance, not memory. */
async function* events(body: Body, toError: (error: Error) => Error): AsyncIterable<StreamEvent> {
  const ready: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      ready.push({ data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) });
    },
  });
  const decoder = new StringDecoder('utf8');
  try {
    for await (const chunk of body) {
      parser.feed(decoder.write(chunk as Buffer));
      yield* ready.splice(0);
    }
  } catch (error) {
    throw toError(error as Error);
  } finally {
    body.destroy();
  }
}

function plainAnswer({ status, headers, body }: Reply): HttpAnswer {
  const named: Record<string, string> = {};
  for (let index = 0; index + 1 < headers.length; index += 2) {
    named[(headers[index] as Buffer).toString('latin1').toLowerCase()] = (headers[index + 1] as Buffer).toString(
      'latin1',
    );
  }
  return { status, headers: named, body };
}
