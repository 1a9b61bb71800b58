/** The gateway's own MCP session with one instance: opened on first need, opened anew when the instance forgot it. */

import { gatewayCapabilities } from '../../../schemas/on-behalf.ts';
import type { BackendState } from './api.ts';
import type { Link, LinkSession, Opening } from './driver.ts';

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
  let times = 0;

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

  return {
    get current(): LinkSession | undefined {
      return current;
    },
    /** The open session, or one that is opened now; concurrent callers share the opening. */
    open(): Promise<Opening> {
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
    },
    /** Forgets a session that the instance does not know any more. */
    drop(session: LinkSession): void {
      if (current === session) current = undefined;
    },
  };
}

const initializedNote = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
const setLevel = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'logging/setLevel', params: { level: 'debug' } });
