/**
 * The gateway's own MCP session with one instance: opened on first need, opened anew when the instance forgot it. Servers
 * say that in many ways, and by the same refusal may mean something else: a ping in the session tells.
 */

import { gatewayCapabilities } from '../../../schemas/on-behalf.ts';
import type { BackendState } from './api.ts';
import type { Link, LinkSession, Opening } from './driver.ts';
import type { Failure } from './failure.ts';

/** The revision that the gateway speaks as a client: the oldest with every kind of question. */
export const revision = '2025-11-25';

export interface SessionKeeperParts {
  link: Pick<Link, 'open'>;
  nextId(): number;
  clientVersion: string;
  timeoutMs: number;
  onState(state: BackendState): void;
}

export type SessionKeeper = ReturnType<typeof createSessionKeeper>;

export function createSessionKeeper({ link, nextId, clientVersion, timeoutMs, onState }: SessionKeeperParts) {
  let current: LinkSession | undefined;
  let opening: Promise<Opening> | undefined;
  let renewing: { session: LinkSession; done: Promise<boolean> } | undefined;
  let times = 0;
  /** It refuses pings in a session that it has only just opened: they say nothing. */
  let deaf = false;

  const handshake = async (): Promise<Opening> => {
    const id = nextId();
    const params = {
      protocolVersion: revision,
      capabilities: gatewayCapabilities,
      clientInfo: { name: 'svc-gateway', version: clientVersion },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
    const opened = await link.open({ id, body, timeoutMs });
    if (!('session' in opened)) return opened;
    const { failure, error } = await opened.session.post({ id: undefined, body: initializedNote, timeoutMs });
    if (failure) return { failure };
    if (error) return { error };
    // Every level passes here: which of them a client hears is said by its own. Who has no logging refuses, and may.
    const asked = nextId();
    await opened.session.post({ id: asked, body: setLevel(asked), timeoutMs });
    return opened;
  };

  const open = (): Promise<Opening> => {
    if (current) return Promise.resolve({ session: current });
    opening ??= handshake()
      .then(outcome => {
        if ('session' in outcome) {
          current = outcome.session;
          times += 1;
          onState(times === 1 ? 'connected' : 'reconnected');
        }
        return outcome;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };

  const drop = (session: LinkSession): void => {
    if (current === session) current = undefined;
  };

  /** Whether the instance knows a session; what went wrong when it gave no answer. */
  const knows = async (session: LinkSession, within: number): Promise<boolean | Failure> => {
    const id = nextId();
    const { failure, error, forgotten } = await session.post({ id, body: ping(id), timeoutMs: within });
    if (forgotten) return false;
    if (failure && failure.kind !== 'malformed') return failure.kind === 'overloaded' ? true : failure;
    return deaf || (!failure && (!error || error.code === methodNotFound));
  };

  const renew = async (session: LinkSession): Promise<boolean> => {
    if ((await knows(session, timeoutMs)) !== false) return false;
    drop(session);
    const renewed = await open();
    if ('session' in renewed && !deaf) deaf = (await knows(renewed.session, timeoutMs)) === false;
    return true;
  };

  return {
    get current(): LinkSession | undefined {
      return current;
    },
    /** The open session, or one that is opened now; concurrent callers share the opening. */
    open,
    /** Forgets a session that the instance does not know any more. */
    drop,
    /** Opens another session if the instance has lost this one: whether it had. Concurrent callers share the finding. */
    renewed(session: LinkSession): Promise<boolean> {
      if (current !== session) return Promise.resolve(true);
      if (renewing?.session === session) return renewing.done;
      const done = renew(session).finally(() => {
        renewing = undefined;
      });
      renewing = { session, done };
      return done;
    },
    /** Asks in MCP whether somebody is there: in the session, or by opening one. */
    async greet(within: number): Promise<Opening> {
      const session = current;
      if (!session) return open();
      const known = await knows(session, within);
      if (typeof known === 'object') return { failure: known };
      if (!known) await this.renewed(session);
      return open();
    },
  };
}

const initializedNote = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
const setLevel = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'logging/setLevel', params: { level: 'debug' } });
const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const methodNotFound = -32601;
