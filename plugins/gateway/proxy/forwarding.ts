/** One request on its way to an instance and its answer on the way back, as bytes: nothing is parsed or kept. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PassThrough } from 'node:stream';
import type { SvcError } from '../../../kernel/index.ts';
import { type BodySink, readBody } from '../../../schemas/body.ts';
import { passingBody, smallBytes, wayOf } from '../../../schemas/passing-body.ts';
import { isEventStream, requestHeaders, responseHead } from '../../../schemas/passing-headers.ts';
import type { Span, TracingService } from '../../telemetry/tracing/api.ts';
import type { Backend } from '../backends/api.ts';
import type { HopHandler, HttpHop } from '../backends/http/api.ts';
import type { Judge, Judged } from './judged.ts';
import { beginPassageSpan, endPassageSpan, setContext } from './passage-span.ts';
import { refusalEvents, refuse } from './refusal.ts';

export interface ForwardOptions {
  backend: Backend;
  request: IncomingMessage;
  response: ServerResponse;
  maxBodyBytes: number;
  /** Standing streams under way, for who stops the gateway. */
  standing: Set<Standing>;
  tracing: TracingService | undefined;
  /** Told of the head of the answer. */
  onHead?: ((status: number, sessionId: string | undefined) => void) | undefined;
  /** Told of each request that goes on to an instance. */
  onPassed?: ((request: IncomingMessage, backend: Backend) => void) | undefined;
  /** Judges the calls in the body, which is read whole for that. */
  judge?: Judge | undefined;
}

/** A stream that lasts as long as its client; ended, its client is told so in order. */
export interface Standing {
  end(): void;
}

/** Forwards a request; answers with an error of the table when that cannot be done. */
export function forward(options: ForwardOptions, tooLarge: () => SvcError): void {
  const { backend, request, maxBodyBytes } = options;
  const { hop } = backend;
  if (!hop) {
    const reason = 'it is not reached over HTTP';
    refuse(options, backend.errorFor({ kind: 'malformed', reason }, `${request.method} ${request.url}`));
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    refuse(options, tooLarge());
    return;
  }
  if (options.judge && request.method === 'POST') {
    readBody(request, maxBodyBytes, judged, { options, hop, judge: options.judge, tooLarge });
    return;
  }
  const forwarding = new Forwarding(options, hop);
  const way = wayOf(request);
  if (way === 'streamed') forwarding.send(passingBody(request));
  else if (way === 'none') forwarding.send(null);
  else readBody(request, maxBodyBytes, small, forwarding);
}

const small: BodySink<Forwarding> = {
  body: (bytes, forwarding) => forwarding.send(bytes),
  // The length that was declared is within the limit.
  tooLarge: () => undefined,
};

interface Judging {
  readonly options: ForwardOptions;
  readonly hop: HttpHop;
  readonly judge: Judge;
  tooLarge(): SvcError;
}

const judged: BodySink<Judging> = {
  body: (bytes, { options, hop, judge }) => {
    const { backend, request, response, onHead } = options;
    const pass = ({ refusal, client }: Judged): void => {
      if (refusal) {
        const { status, body } = refusal;
        response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
        response.end(body);
        return;
      }
      const named = (status: number, session: string | undefined): void => {
        if (session !== undefined && client !== undefined) judge.remember(session, client);
        onHead?.(status, session);
      };
      new Forwarding({ ...options, onHead: named }, hop).send(bytes);
    };
    judge.judge(backend.instance, request, bytes).then(pass, error => refuse(options, error, bytes));
  },
  tooLarge: ({ options, tooLarge }) => refuse(options, tooLarge()),
};

const lineFeed = 10;
const carriageReturn = 13;

/** Whether the last line of a chunk is empty. */
const endsEvent = (chunk: Buffer): boolean =>
  chunk.at(-1) === lineFeed && (chunk.at(-2) === lineFeed || chunk.at(-2) === carriageReturn);

class Forwarding implements HopHandler, Standing {
  readonly #options: ForwardOptions;
  readonly #hop: HttpHop;
  readonly #counted: boolean;
  #abort: (() => void) | undefined;
  #resume: (() => void) | undefined;
  #remaining: number | undefined;
  #span: Span | undefined;
  /** What was asked, for the answer that the instance does not give; nothing of a large one. */
  #body: Buffer | undefined;
  /** An event stream, and whether it stands between two events. */
  #events = false;
  #between = true;
  #state: 'waiting' | 'answering' | 'ended' | 'left' = 'waiting';

  constructor(options: ForwardOptions, hop: HttpHop) {
    this.#options = options;
    this.#hop = hop;
    // A standing stream lasts as long as its client: it takes no place of a call.
    const { method, headers } = options.request;
    this.#counted = method !== 'GET' && headers['mcp-method'] !== 'subscriptions/listen';
  }

  send(body: Buffer | PassThrough | null): void {
    const { backend, request, response } = this.#options;
    if (Buffer.isBuffer(body) && body.length <= smallBytes) this.#body = body;
    try {
      if (this.#counted) backend.enter();
    } catch (error) {
      refuse(this.#options, error, this.#body);
      return;
    }
    response.on('close', () => this.#leave());
    if (!this.#counted) this.#options.standing.add(this);
    // A response that breaks while it is written to closes; there is nobody to tell.
    response.on('error', () => undefined);
    const { method = '', url = '', headers, rawHeaders } = request;
    const query = url.indexOf('?');
    const path = query < 0 ? this.#hop.path : this.#hop.path + url.slice(query);
    const { tracing } = this.#options;
    if (tracing?.on && this.#counted) this.#span = beginPassageSpan(tracing, request, backend.instance);
    try {
      const passed = { method, path, headers: requestHeaders(rawHeaders, headers.connection), body };
      if (this.#span) setContext(passed.headers, this.#span);
      this.#hop.dispatch(passed, this, !this.#counted);
      this.#options.onPassed?.(request, backend);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  end(): void {
    if (this.#state !== 'answering') {
      this.#options.response.destroy();
      return;
    }
    this.#state = 'ended';
    this.#options.response.end();
    this.#abort?.();
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#state === 'left') abort();
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    const { response, onHead } = this.#options;
    if (status < 200 || this.#state !== 'waiting') return true;
    this.#state = 'answering';
    this.#resume = resume;
    const { headers, length, sessionId } = responseHead(raw);
    if (this.#span) this.#span.attributes['http.response.status_code'] = status;
    onHead?.(status, sessionId);
    this.#remaining = length;
    if (length === undefined) this.#events = isEventStream(headers);
    response.writeHead(status, headers);
    // Nobody knows when the first byte of a stream comes: its head goes out now.
    if (length === undefined && status === 200) response.flushHeaders();
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#state !== 'answering') return true;
    const { response } = this.#options;
    if (this.#remaining !== undefined) {
      this.#remaining -= chunk.length;
      if (this.#remaining === 0) {
        this.#state = 'ended';
        response.end(chunk);
        return true;
      }
    }
    if (this.#events) this.#between = endsEvent(chunk);
    if (response.write(chunk)) return true;
    response.once('drain', () => this.#resume?.());
    return false;
  }

  onComplete(): void {
    if (this.#state === 'answering') {
      this.#state = 'ended';
      this.#options.response.end();
    }
    this.#settle(true);
  }

  onError(error: Error): void {
    const { backend, request } = this.#options;
    if (this.#state === 'left') {
      this.#settle(undefined);
      return;
    }
    const known = backend.errorFor(this.#hop.failureOf(error), `${request.method} ${request.url}`);
    if (this.#state === 'answering') this.#breakOff(known);
    else if (this.#state === 'waiting') refuse(this.#options, known, this.#body, this.#abort !== undefined);
    this.#state = 'ended';
    this.#settle(false);
  }

  /** A stream tells the error as its last event; of anything else only a broken connection says that something is missing. */
  #breakOff(error: SvcError): void {
    const { request, response } = this.#options;
    const told = this.#events && this.#between ? refusalEvents(request, error, this.#body) : '';
    if (told === '') response.destroy();
    else response.end(told);
  }

  /** The client has gone, or everything was sent to it. */
  #leave(): void {
    if (this.#state === 'ended') return;
    this.#state = 'left';
    this.#abort?.();
  }

  #settle(answered: boolean | undefined): void {
    if (this.#span) endPassageSpan(this.#span, answered);
    if (this.#counted) this.#options.backend.leave(answered);
    else this.#options.standing.delete(this);
  }
}
