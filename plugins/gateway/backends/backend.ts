/** Everything the gateway keeps for one instance: the way there, session, standing stream, gate. */
import { objectOf } from '../../../schemas/loose.ts';
import type { Instance } from '../../instances/api.ts';
import type { TracingService } from '../../telemetry/tracing/api.ts';
import type { Answer } from './answer.ts';
import type { Answering, Backend, BackendState } from './api.ts';
import { createBackendJobs } from './backend-jobs.ts';
import type { Driver } from './driver.ts';
import { errorOf, type Failure, nameOf } from './failure.ts';
import { createGate } from './gate.ts';
import { circuitLimits } from './limits.ts';
import { createProbe, type Probe } from './probe.ts';
import { createBackendQuestions } from './questions.ts';
import { beginRequestSpan, endedWith } from './request-span.ts';
import { createRpcClient } from './rpc-client.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { createStandingStream } from './standing-stream.ts';

const maxInFlight = 256;
const maxBytes = 64 * 1024 * 1024;
const handshakeMs = 10_000;
const farewellMs = 500;

export interface BackendParts {
  instance(): Instance;
  driver: Driver;
  timeoutMs: number;
  clientVersion: string;
  tracing?: TracingService | undefined;
  now(): number;
  onState(backend: Backend, state: BackendState): void;
  onNotification(backend: Backend, method: string, params: Record<string, unknown>): void;
  /** Of the standing stream, or of a request whose client cannot be asked. */
  onQuestion(backend: Backend, ...question: Parameters<Answering>): Promise<unknown>;
  onFailure(backend: Backend, failure: Failure): void;
  onDeath(backend: Backend, message: string): void;
  /** Its standing stream has ended by itself. */
  onBroken(): void;
}

export interface OwnedBackend extends Backend {
  ready: boolean | null;
  /** Keeps the standing stream while `wanted`. */
  listen(wanted: boolean): void;
  readonly probe: Probe;
  /**
   * Ends everything; `because` goes into the errors of calls in flight. `drain` lets those end first, `polite` ends the
   * session over there.
   */
  close(because: string, manner: 'cut' | 'drain' | 'polite'): Promise<void>;
}

export function createBackend(parts: BackendParts): OwnedBackend {
  const { timeoutMs, tracing } = parts;
  const { instance_id } = parts.instance();
  let because: string | undefined;
  const asked = {
    get instance() {
      return parts.instance();
    },
    get goneBecause() {
      return because;
    },
  };
  let lastId = 0;
  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };

  const receive = (message: Record<string, unknown>): void => {
    const { method, params } = message;
    if (typeof method !== 'string' || because !== undefined || questions.take(message, ask)) return;
    parts.onNotification(backend, method, objectOf(params));
  };
  const ask: Answering = (...question) => parts.onQuestion(backend, ...question);
  const questions = createBackendQuestions(message => void rpc.note(message).catch(() => undefined));

  const link = parts.driver.connect(parts.instance(), { maxBytes, onMessage: receive });
  const gate = createGate(asked, { maxInFlight, ...circuitLimits, now: parts.now });
  const sessions = createSessionKeeper({
    link,
    nextId,
    clientVersion: parts.clientVersion,
    timeoutMs: Math.min(handshakeMs, timeoutMs),
    onState: state => parts.onState(backend, state),
  });

  const rpc = createRpcClient({
    asked,
    gate,
    sessions,
    nextId,
    timeoutMs,
    maxBytes,
    questions,
    onMessage: receive,
    onFailure: failure => parts.onFailure(backend, failure),
    onDeath: message => parts.onDeath(backend, message),
  });
  const standing = createStandingStream(sessions, parts.onBroken);

  const errorFor = (failure: Failure, what: string) => {
    parts.onFailure(backend, failure);
    return errorOf(failure, asked, what, { timeoutMs, maxBytes });
  };

  const backend: OwnedBackend = {
    instance_id,
    ready: null,
    hop: link.hop,
    probe: createProbe(link, sessions),
    get instance() {
      return parts.instance();
    },
    get in_flight() {
      return gate.inFlight;
    },
    get circuit() {
      return gate.circuit;
    },
    get closed() {
      return because !== undefined;
    },
    errorFor,
    enter: gate.enter,
    leave: gate.leave,
    request(method, params, requestOptions = {}) {
      const meta = tracing ? objectOf(params._meta) : undefined;
      const span = beginRequestSpan(tracing, parts.instance(), method, params.name, meta);
      const sent = span ? { ...params, _meta: { ...meta, ...span.context } } : params;
      const body = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method, params: sent });
      if (!span) return rpc.send(method, body, requestOptions, resultIn);
      return endedWith(span, rpc.send(method, body, { ...requestOptions, trace: span.context }, resultIn));
    },
    callRaw(name, argumentsJson, meta, callOptions = {}) {
      const span = beginRequestSpan(tracing, parts.instance(), 'tools/call', name, meta);
      const sent = span ? { ...meta, ...span.context } : meta;
      const members = `"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${argumentsJson}${
        sent === undefined ? '' : `,"_meta":${JSON.stringify(sent)}`
      }}`;
      callOptions.onSending?.(members);
      const body = (id: number): string => `{"jsonrpc":"2.0","id":${id},${members}}`;
      if (!span) return rpc.send(name, body, callOptions, jsonIn);
      return endedWith(span, rpc.send(name, body, { ...callOptions, trace: span.context }, jsonIn));
    },
    ...createBackendJobs({ door: link.jobs, gate, timeoutMs, errorFor }),
    listen: wanted => (wanted ? standing.start() : standing.stop()),
    async close(reason, manner) {
      if (because === undefined) {
        standing.stop();
        if (manner === 'polite') await farewell();
        because = reason;
        questions.end();
        parts.onState(backend, 'lost');
      }
      const gone = new Error(`${nameOf(parts.instance())} has gone: ${reason}`);
      await link.close(gone, manner === 'drain' ? timeoutMs : undefined);
    },
  };

  const farewell = async (): Promise<void> => {
    const session = sessions.current;
    if (!session) return;
    sessions.drop(session);
    await session.end(farewellMs);
  };

  return backend;
}

const resultIn = ({ result }: Answer): unknown => result;
const jsonIn = ({ resultJson, result }: Answer): string => resultJson ?? JSON.stringify(result);
