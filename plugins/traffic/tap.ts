/**
 * What clients send and get, taken down where it is whole: at the HTTP server. Only requests that bring calls are looked
 * at, and nothing is held up: bytes are noted as they pass.
 */
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Door, doorOf } from './messages.ts';

/** A body as it passes; beyond the limit it is only counted. */
export class Passing {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: unknown, encoding?: unknown): void {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk;
    if (!(bytes instanceof Uint8Array)) return;
    this.size += bytes.length;
    if (this.truncated) this.#chunks = [];
    else this.#chunks.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  get truncated(): boolean {
    return this.size > this.#limit;
  }

  text(): string {
    const [first] = this.#chunks;
    return (this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)).toString('utf8');
  }
}

/** One request and its answer. */
export interface Exchange {
  readonly door: Door;
  readonly request: IncomingMessage;
  /** Without the query. */
  readonly path: string;
  readonly sent: Passing;
  readonly answered: Passing;
  sentNs: number;
  answeredNs: number;
  status: number;
  /** Header of the answer, in lower case. */
  header(name: string): string | undefined;
}

export interface TapDeps {
  /** Path of the MCP endpoint. */
  readonly endpoint: string;
  readonly maxBodyBytes: number;
  nowNs(): number;
  /** The request has come, whole. */
  onSent(exchange: Exchange): void;
  /** The answer has gone out. */
  onAnswered(exchange: Exchange): void;
}

/** A listener for the `request` event of the HTTP server, before those that serve. */
export function createTap({ endpoint, maxBodyBytes, nowNs, onSent, onAnswered }: TapDeps) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const door = doorOf(request.method, path, endpoint);
    if (door === undefined) return;
    let headers: OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined;
    const exchange: Exchange = {
      ...{ door, request, path, sent: new Passing(maxBodyBytes), answered: new Passing(maxBodyBytes) },
      ...{ sentNs: nowNs(), answeredNs: 0, status: 0 },
      header: name => headerIn(headers, name) ?? textOf(response.getHeader(name)),
    };

    const push = request.push;
    request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (chunk === null) {
        exchange.sentNs = nowNs();
        onSent(exchange);
      } else exchange.sent.add(chunk, encoding);
      return push.call(request, chunk, encoding);
    };

    const { writeHead, write, end } = response;
    response.writeHead = ((...given: unknown[]) => {
      headers = given.find(each => typeof each === 'object') as typeof headers;
      return (writeHead as (...all: unknown[]) => ServerResponse).apply(response, given);
    }) as ServerResponse['writeHead'];
    response.write = ((...given: unknown[]) => {
      exchange.answered.add(given[0], given[1]);
      return (write as (...all: unknown[]) => boolean).apply(response, given);
    }) as ServerResponse['write'];
    response.end = ((...given: unknown[]) => {
      exchange.answered.add(given[0], given[1]);
      return (end as (...all: unknown[]) => ServerResponse).apply(response, given);
    }) as ServerResponse['end'];
    response.once('close', () => {
      exchange.answeredNs = nowNs();
      // Nothing was sent to a client that went away before.
      exchange.status = response.headersSent ? response.statusCode : 0;
      onAnswered(exchange);
    });
  };
}

function headerIn(given: OutgoingHttpHeaders | readonly OutgoingHttpHeader[] | undefined, wanted: string) {
  if (given === undefined) return undefined;
  if (Array.isArray(given)) {
    const at = given.findIndex((each, index) => index % 2 === 0 && String(each).toLowerCase() === wanted);
    return at < 0 ? undefined : textOf(given[at + 1]);
  }
  const found = Object.entries(given).find(([name]) => name.toLowerCase() === wanted);
  return found && textOf(found[1]);
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
