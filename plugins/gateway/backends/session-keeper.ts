/** The gateway's own MCP session with one instance: opened on first need, opened anew when the instance forgot it. */

import type { ForeignError } from './answer.ts';
import type { BackendState } from './api.ts';
import type { Failure } from './failure.ts';
import type { Wire } from './wire.ts';

/** The revision that the gateway speaks as a client. */
const revision = '2025-06-18';
const json = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'];

export interface OpenSession {
  /** Undefined for an instance that keeps no sessions. */
  readonly id: string | undefined;
  /** What the instance said of itself. */
  readonly initialized: Record<string, unknown>;
  /** Header names and values of every later POST. */
  readonly headers: readonly string[];
}

export type Opening = { session: OpenSession } | { failure: Failure } | { error: ForeignError };

export interface SessionKeeper {
  readonly current: OpenSession | undefined;
  /** The open session, or one that is opened now; concurrent callers share the opening. */
  open(): Promise<Opening>;
  /** Forgets a session that the instance does not know any more. */
  drop(session: OpenSession): void;
}

export interface SessionKeeperParts {
  wire: Wire;
  nextId(): number;
  clientVersion: string;
  timeoutMs: number;
  onState(state: BackendState): void;
}

export function createSessionKeeper({
  wire,
  nextId,
  clientVersion,
  timeoutMs,
  onState,
}: SessionKeeperParts): SessionKeeper {
  let current: OpenSession | undefined;
  let opening: Promise<Opening> | undefined;
  let opened = 0;

  const handshake = async (): Promise<Opening> => {
    const id = nextId();
    const params = {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: 'svc-gateway', version: clientVersion },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
    const { failure, error, result, sessionId } = await wire.post({ id, body, headers: json, timeoutMs });
    if (failure) return { failure };
    if (error) return { error };
    const initialized = (typeof result === 'object' && result !== null ? result : {}) as Record<string, unknown>;
    const agreed = typeof initialized.protocolVersion === 'string' ? initialized.protocolVersion : revision;
    const headers = [
      ...json,
      'mcp-protocol-version',
      agreed,
      ...(sessionId === undefined ? [] : ['mcp-session-id', sessionId]),
    ];
    const ready = await wire.post({ id: undefined, body: initializedNote, headers, timeoutMs });
    if (ready.failure) return { failure: ready.failure };
    if (ready.error) return { error: ready.error };
    return { session: { id: sessionId, initialized, headers } };
  };

  return {
    get current() {
      return current;
    },
    open() {
      if (current) return Promise.resolve({ session: current });
      opening ??= handshake()
        .then(outcome => {
          if ('session' in outcome) {
            current = outcome.session;
            opened += 1;
            onState(opened === 1 ? 'connected' : 'reconnected');
          }
          return outcome;
        })
        .finally(() => {
          opening = undefined;
        });
      return opening;
    },
    drop(session) {
      if (current === session) current = undefined;
    },
  };
}

const initializedNote = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
