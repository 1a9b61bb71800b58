/** The session table: admission, eviction of idle sessions, and their end. */
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
import { Session } from './session.ts';
import type { SessionRecord, SessionStore } from './store.ts';

const shortestSweepMs = 250;
const longestSweepMs = 30_000;
const retryWithoutTtlSecs = 30;
const retryClosingSecs = 5;

export interface ClientHello {
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
  let closed = false;

  const end = async (session: Session, reason: string): Promise<void> => {
    if (!table.delete(session.id)) return;
    const { id } = session;
    ending.add(id);
    session.end(reason, rpcErrors.CANCELLED({ reason }));
    const parts = await Promise.allSettled([
      (async () => turns.take(id, () => store.remove(id)))(),
      session.scope.dispose(),
    ]);
    ending.delete(id);
    for (const part of parts) {
      if (part.status === 'fulfilled') continue;
      log.error({ err: part.reason, session_id: id }, 'ending a session failed in part');
    }
  };

  const sweep = (): void => {
    const limit = ids.now() - ttlMs;
    for (const session of table.values()) {
      if (session.lastSeen <= limit && !session.busy) void end(session, 'the session was idle too long');
    }
  };

  if (ttlMs > 0) {
    const timer = setInterval(sweep, Math.min(Math.max(ttlMs / 4, shortestSweepMs), longestSweepMs)).unref();
    scope.add('session sweeper', () => clearInterval(timer));
  }

  /** Seconds until the session that is idle longest can be evicted. */
  const retryAfterSecs = (): number => {
    if (ttlMs === 0) return retryWithoutTtlSecs;
    const idle = [...table.values()].filter(each => !each.busy).map(each => each.lastSeen);
    const wait = idle.length > 0 ? Math.min(...idle) + ttlMs - ids.now() : ttlMs;
    return Math.max(1, Math.ceil(wait / 1000));
  };

  const admit = (record: SessionRecord): Session => {
    if (table.size >= config.max_sessions && ttlMs > 0) sweep();
    if (table.size >= config.max_sessions) {
      const details = { max_sessions: config.max_sessions, retry_after_secs: retryAfterSecs() };
      throw mcpErrors.TOO_MANY_SESSIONS(details);
    }
    const session = new Session({
      record,
      scope: scope.child(`session:${record.id}`),
      clock: ids.now,
      maxKeptEvents: config.sse_replay_events,
      // Half of what a client may leave unread, so that a replay alone never cuts it off.
      maxKeptBytes: Math.floor(config.sse_client_max_bytes / 2),
      broadcasts: issued(),
    });
    table.set(session.id, session);
    return session;
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
    /** A new session, stored; rejects with SVC_MCP_TOO_MANY_SESSIONS when the table is full of sessions in use. */
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
    /** Ends a session: its calls, streams and scope. Resolves when it is stored no more and its scope is disposed. */
    end,
    endAll: async (reason: string): Promise<void> => {
      closed = true;
      await Promise.all([...table.values()].map(session => end(session, reason)));
    },
  };
}
