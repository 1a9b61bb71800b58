/** One request on its way through a tunnel and its answer on the way back, as bytes: nothing is parsed or kept. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PassThrough } from 'node:stream';
import { messageOf, type SvcError, toHttpError } from '../../kernel/index.ts';
import { type BodySink, readBody } from '../../schemas/body.ts';
import { passingBody, smallBytes, wayOf } from '../../schemas/passing-body.ts';
import { requestHeaders, responseHead } from '../../schemas/passing-headers.ts';
import { relayErrors } from './errors.ts';
import { mostChannels } from './mux.ts';
import type { Tunnel, TunnelHandler } from './tunnel.ts';

export interface Passage {
  tunnel: Tunnel;
  request: IncomingMessage;
  response: ServerResponse;
  /** At the target, with the query. */
  path: string;
  maxBodyBytes: number;
}

/** Passes a request on; answers with an error of the table when that cannot be done. */
export function pass(passage: Passage): void {
  const { request, response, maxBodyBytes } = passage;
  const tooLarge = () => relayErrors.TOO_LARGE({ limit: maxBodyBytes });
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    refuse(response, tooLarge());
    return;
  }
  const passing = new Passing(passage);
  const way = wayOf(request);
  if (way === 'streamed') passing.send(passingBody(request, { most: maxBodyBytes, tooLarge }));
  else if (way === 'none') passing.send(null);
  else readBody(request, smallBytes, small, passing);
}

const small: BodySink<Passing> = {
  body: (bytes, passing) => passing.send(bytes),
  // The length that was declared is within the limit.
  tooLarge: () => undefined,
};

/** Answers with an error; nothing happens when the answer has begun. */
export function refuse(response: ServerResponse, error: SvcError): void {
  if (response.headersSent || response.destroyed) return;
  const { status, body } = toHttpError(error);
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

class Passing implements TunnelHandler {
  readonly #passage: Passage;
  #abort: (() => void) | undefined;
  #resume: (() => void) | undefined;
  #state: 'waiting' | 'answering' | 'ended' = 'waiting';

  constructor(passage: Passage) {
    this.#passage = passage;
  }

  send(body: Buffer | PassThrough | null): void {
    const { tunnel, request, response, path } = this.#passage;
    const headers = requestHeaders(request.rawHeaders, request.headers.connection);
    if (!tunnel.dispatch({ method: request.method as 'GET', path, headers, body }, this)) {
      refuse(response, relayErrors.TUNNEL_BUSY({ limit: mostChannels, tunnel_id: tunnel.about.tunnel_id }));
      return;
    }
    // A response that breaks while it is written to closes; there is nobody to tell.
    response.on('error', () => undefined);
    response.on('close', () => {
      if (this.#state === 'ended') return;
      this.#state = 'ended';
      this.#abort?.();
    });
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#state === 'ended') abort();
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status < 200 || this.#state !== 'waiting') return true;
    const { response } = this.#passage;
    this.#state = 'answering';
    this.#resume = resume;
    const { headers, length } = responseHead(raw);
    response.writeHead(status, headers);
    // Nobody knows when the first byte of a stream comes: its head goes out now.
    if (length === undefined) response.flushHeaders();
    return true;
  }

  onData(chunk: Buffer): boolean {
    const { response } = this.#passage;
    if (this.#state !== 'answering' || response.write(chunk)) return true;
    response.once('drain', () => this.#resume?.());
    return false;
  }

  onComplete(): void {
    this.#passage.tunnel.leave();
    if (this.#state === 'answering') this.#passage.response.end();
    this.#state = 'ended';
  }

  onError(error: Error): void {
    const { tunnel, response } = this.#passage;
    tunnel.leave();
    const { tunnel_id } = tunnel.about;
    const tooLarge = (error as SvcError).code === 'SVC_RELAY_TOO_LARGE';
    if (this.#state === 'answering') response.destroy();
    else if (this.#state === 'waiting') {
      refuse(
        response,
        tooLarge ? (error as SvcError) : relayErrors.TUNNEL_FAILED({ tunnel_id, reason: messageOf(error) }),
      );
    }
    this.#state = 'ended';
  }
}
