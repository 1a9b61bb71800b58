/** Everything the gateway keeps for one instance: pools, session, standing stream, gate. */
import { Pool } from 'undici';
import type { Instance } from '../../instances/api.ts';
import type { Backend, BackendState } from './api.ts';
import { errorOf, type Failure, failureOf, nameOf } from './failure.ts';
import { createGate } from './gate.ts';
import type { Reply } from './http-exchange.ts';
import { createPlainClient } from './plain-client.ts';
import { createRpcClient } from './rpc-client.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { createStandingStream } from './standing-stream.ts';
import { createWire } from './wire.ts';

const connections = 64;
const maxInFlight = 256;
const failuresThatOpen = 5;
const openMs = 5000;
const maxBytes = 64 * 1024 * 1024;
const connectMs = 3000;
const handshakeMs = 10_000;
const farewellMs = 500;

export interface BackendParts {
  instance(): Instance;
  timeoutMs: number;
  clientVersion: string;
  now(): number;
  onState(backend: Backend, state: BackendState): void;
  onNotification(backend: Backend, method: string, params: Record<string, unknown>): void;
  onFailure(backend: Backend, failure: Failure): void;
  onDeath(backend: Backend, message: string): void;
}

export interface OwnedBackend extends Backend {
  ready: boolean | null;
  /** Keeps the standing stream while `wanted`. */
  listen(wanted: boolean): void;
  /** Where its readiness is asked. */
  readonly prefix: string;
  /** What it connects to: another address needs another backend. */
  readonly address: string;
  /** Plain HTTP outside the gate, over the connections for what lasts. */
  ask(path: string, timeoutMs: number): Promise<{ failure?: Failure; reply?: Reply }>;
  /**
   * Ends everything; `because` goes into the errors of calls in flight. `drain` lets those end first, `polite` ends the
   * session over there.
   */
  close(because: string, manner: 'cut' | 'drain' | 'polite'): Promise<void>;
}

export function createBackend(parts: BackendParts): OwnedBackend {
  const { timeoutMs } = parts;
  const { mcp_url, origin, instance_id } = parts.instance();
  const endpoint = new URL(mcp_url);
  const path = endpoint.pathname + endpoint.search;
  const prefix = new URL(origin).pathname.replace(/\/$/, '');
  const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectMs } };
  const pool = new Pool(endpoint.origin, { ...options, connections });
  const streams = new Pool(endpoint.origin, { ...options, connections: null });

  let because: string | undefined;
  let draining: NodeJS.Timeout | undefined;
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

  const wire = createWire({ pool, path, maxBytes });
  const gate = createGate(asked, { maxInFlight, failures: failuresThatOpen, openMs, now: parts.now });
  const sessions = createSessionKeeper({
    wire,
    nextId,
    clientVersion: parts.clientVersion,
    timeoutMs: Math.min(handshakeMs, timeoutMs),
    onState: state => parts.onState(backend, state),
  });

  const receive = (message: Record<string, unknown>): void => {
    const { method, id, params } = message;
    if (typeof method !== 'string' || because !== undefined) return;
    if (id === undefined) {
      const given = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
      parts.onNotification(backend, method, given);
      return;
    }
    // The gateway declared no capability, so that only a ping may be asked of it.
    const error = { code: -32601, message: `Method not found: ${method.slice(0, 200)}` };
    const answer = method === 'ping' ? { result: {} } : { error };
    void rpc.note({ jsonrpc: '2.0', id, ...answer }).catch(() => undefined);
  };

  const rpc = createRpcClient({
    asked,
    gate,
    wire,
    sessions,
    nextId,
    timeoutMs,
    maxBytes,
    onMessage: receive,
    onFailure: failure => parts.onFailure(backend, failure),
    onDeath: message => parts.onDeath(backend, message),
  });
  const plain = createPlainClient({
    asked,
    gate,
    wire,
    streams,
    prefix,
    timeoutMs,
    maxBytes,
    onFailure: failure => parts.onFailure(backend, failure),
  });
  const standing = createStandingStream({ sessions, streams, path, maxBytes, onMessage: receive });

  const backend: OwnedBackend = {
    instance_id,
    pool,
    streams,
    path,
    ready: null,
    prefix,
    address: `${endpoint.origin}${path}`,
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
    ask: (asking, deadline) =>
      wire.fetch({ method: 'GET', path: prefix + asking, headers: [], timeoutMs: deadline, pool: streams }),
    errorFor(error, what) {
      const failure = failureOf(error);
      parts.onFailure(backend, failure);
      return errorOf(failure, asked, what, { timeoutMs, maxBytes });
    },
    enter: gate.enter,
    leave: gate.leave,
    async request(method, params, requestOptions = {}) {
      const body = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method, params });
      return (await rpc.send(method, body, requestOptions)).result;
    },
    async callRaw(name, argumentsJson, meta, callOptions = {}) {
      const rest = `"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${argumentsJson}${
        meta === undefined ? '' : `,"_meta":${JSON.stringify(meta)}`
      }}}`;
      const answer = await rpc.send(name, id => `{"jsonrpc":"2.0","id":${id},${rest}`, callOptions);
      return { resultJson: answer.resultJson ?? JSON.stringify(answer.result) };
    },
    notify: (method, params) => rpc.note({ jsonrpc: '2.0', method, params }),
    http: plain.http,
    stream: plain.stream,
    listen: wanted => (wanted ? standing.start() : standing.stop()),
    async close(reason, manner) {
      const gone = new Error(`${nameOf(parts.instance())} has gone: ${reason}`);
      if (because === undefined) {
        standing.stop();
        if (manner === 'polite') await farewell();
        because = reason;
        parts.onState(backend, 'lost');
      }
      if (manner === 'drain') {
        draining ??= setTimeout(() => void pool.destroy(gone), timeoutMs).unref();
        await Promise.all([streams.destroy(gone), pool.close().catch(() => undefined)]);
        clearTimeout(draining);
      } else {
        clearTimeout(draining);
        await Promise.all([pool.destroy(gone), streams.destroy(gone)]);
      }
    },
  };

  /** Ends the session there, so that it does not linger; a short try. */
  const farewell = async (): Promise<void> => {
    const session = sessions.current;
    if (session?.id === undefined) return;
    sessions.drop(session);
    await wire.fetch({ method: 'DELETE', path, headers: session.headers.slice(4), timeoutMs: farewellMs });
  };

  return backend;
}
