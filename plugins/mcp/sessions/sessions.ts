/**
 * The session table. Any number of sessions may be open: those without an event stream are bounded by memory and age, and
 * those with one by `max_sessions`.
 */
import {
  type Awaitable,
  after,
  createTurns,
  isPromise,
  type Kernel,
  rpcErrors,
  type Scope,
} from '../../../kernel/index.ts';
import type { Settings } from '../config.ts';
import { mcpErrors } from '../errors.ts';
import { defaultLevel } from '../streams/levels.ts';
import type { SseClient } from '../streams/sse-client.ts';
import { IdleOrder } from './idle-order.ts';
import { Session, type SessionTerms } from './session.ts';
import type { SessionRecord, SessionStore } from './store.ts';

const shortestSweepMs = 250;
const longestSweepMs = 30_000;
const retryListeningSecs = 30;
const retryClosingSecs = 5;

export interface ClientHello {
  owner?: string | undefined;
  protocolVersion: string;
  clientInfo: Record<string, unknown>;
  clientCapabilities: Record<string, unknown>;
}

export type Sessions = ReturnType<typeof createSessions>;

/** `scope` becomes the parent of every session's scope; `issued` is the number of the last broadcast. */
export function createSessions(
  kernel: Kernel,
  config: Settings,
  scope: Scope,
  store: SessionStore,
  issued: () => number,
) {
  const { ids, log } = kernel;
  const ttlMs = config.session_ttl_secs * 1000;
  const table = new Map<string, Session>();
  const turns = createTurns();
  /** Sessions that have ended here and may still be in the store. */
  const ending = new Set<string>();
  /** Sessions with a standing stream, be it without a connection for now. */
  const followers = new Set<Session>();
  let listening = 0;
  let closed = false;

  const end = async (session: Session, reason: string): Promise<void> => {
    if (!table.delete(session.id)) return;
    const { id } = session;
    ending.add(id);
    followers.delete(session);
    const disposed = session.end(reason, rpcErrors.CANCELLED({ reason }));
    // After the calls that ended with it, each of which was a sign of life.
    idle.remove(session);
    const parts = await Promise.allSettled([(async () => turns.take(id, () => store.remove(id)))(), disposed]);
    ending.delete(id);
    for (const part of parts) {
      if (part.status === 'fulfilled') continue;
      log.error({ err: part.reason, session_id: id }, 'ending a session failed in part');
    }
  };

  const idle = new IdleOrder<Session>(
    config.sessions_max_bytes,
    session => void end(session, 'the session was idle while others came'),
  );
  const terms: SessionTerms = {
    scope,
    idle,
    clock: ids.now,
    maxKeptEvents: config.sse_replay_events,
    // Half of what a client may leave unread, so that a replay alone never cuts it off.
    maxKeptBytes: Math.floor(config.sse_client_max_bytes / 2),
  };

  if (ttlMs > 0) {
    const sweep = (): void => idle.expire(ids.now() - ttlMs);
    const timer = setInterval(sweep, Math.min(Math.max(ttlMs / 4, shortestSweepMs), longestSweepMs)).unref();
    scope.add('session sweeper', () => clearInterval(timer));
  }

  const admit = (record: SessionRecord): Session => {
    const session = new Session(record, terms, issued());
    table.set(session.id, session);
    idle.renew(session);
    return session;
  };

  /** Counts a connection of a session that listens, for as long as it is open. */
  const hold = (session: Session, client: SseClient): void => {
    if (session.connections === 0) listening += 1;
    session.connections += 1;
    idle.remove(session);
    followers.add(session);
    client.onClose(() => {
      session.connections -= 1;
      if (session.connections > 0) return;
      listening -= 1;
      session.touch();
    });
  };

  const save = (session: Session): Awaitable<void> => turns.take(session.id, () => store.save(session));

  return {
    get size(): number {
      return table.size;
    },
    /** Calls in flight over all sessions. */
    get calls(): number {
      let count = 0;
      for (const session of table.values()) count += session.calls.size;
      return count;
    },
    /** A session that is open here. */
    get: (id: string): Session | undefined => table.get(id),
    values: (): IterableIterator<Session> => table.values(),
    /** Those that broadcasts are for. */
    followers: (): Iterable<Session> => followers,
    /** Opens a connection of a session that listens; throws SVC_MCP_TOO_MANY_SESSIONS when too many others do. */
    listen(session: Session, open: () => SseClient): SseClient {
      const { max_sessions } = config;
      if (session.connections === 0 && listening >= max_sessions) {
        throw mcpErrors.TOO_MANY_SESSIONS({ max_sessions, retry_after_secs: retryListeningSecs });
      }
      const client = open();
      hold(session, client);
      return client;
    },
    /** One that is open here, or that the store knows: it goes on here from now on. */
    find(id: string): Awaitable<Session | undefined> {
      const open = table.get(id);
      if (open || ending.has(id)) return open;
      const record = turns.take(id, () => store.get(id));
      // Another request may have come first, or the end.
      const found = (known: SessionRecord | undefined) =>
        table.get(id) ?? (known && !closed ? admit(known) : undefined);
      return after(record, found);
    },
    /** A new session, stored. */
    async create(hello: ClientHello): Promise<Session> {
      if (closed) throw mcpErrors.SHUTTING_DOWN({ retry_after_secs: retryClosingSecs });
      const session = admit({ id: ids.uuid(), logLevel: defaultLevel, ...hello });
      try {
        const stored = save(session);
        if (isPromise(stored)) await stored;
      } catch (error) {
        await end(session, 'the session could not be stored');
        throw error;
      }
      if (session.ended) throw mcpErrors.SHUTTING_DOWN({ retry_after_secs: retryClosingSecs });
      return session;
    },
    save,
    /** Records of the sessions that another process can go on with. */
    handOn: (): SessionRecord[] => [...table.values()].filter(canGoOn).map(recordOf),
    async adopt(records: readonly SessionRecord[]): Promise<void> {
      for (const record of records) if (!table.has(record.id)) await save(admit(record));
    },
    /** Ends a session: its calls, streams and scope. Resolves when it is stored no more and its scope is disposed. */
    end,
    endAll: async (reason: string): Promise<void> => {
      closed = true;
      await Promise.all([...table.values()].map(session => end(session, reason)));
    },
  };
}

/** Elsewhere: not what has ended, nor what some room keeps something for. */
const canGoOn = (session: Session): boolean => !session.ended && !session.hasBelongings;

const recordOf = ({ id, owner, ...record }: SessionRecord): SessionRecord => {
  const { protocolVersion, clientInfo, clientCapabilities, logLevel } = record;
  return { id, owner, protocolVersion, clientInfo, clientCapabilities, logLevel };
};
