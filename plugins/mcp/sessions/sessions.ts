/** The session table: admission, eviction of idle sessions, and their end. */
import { type Kernel, rpcErrors, type Scope } from '../../../kernel/index.ts';
import { mcpErrors } from '../errors.ts';
import { Session } from './session.ts';

const shortestSweepMs = 250;
const longestSweepMs = 30_000;
const retryWithoutTtlSecs = 30;

export interface ClientHello {
  protocolVersion: string;
  clientInfo: Record<string, unknown>;
  clientCapabilities: Record<string, unknown>;
}

export type Sessions = ReturnType<typeof createSessions>;

/** `scope` becomes the parent of every session's scope. */
export function createSessions(kernel: Kernel, scope: Scope) {
  const { config, ids, log } = kernel;
  const ttlMs = config.session_ttl_secs * 1000;
  const table = new Map<string, Session>();

  const end = async (session: Session, reason: string): Promise<void> => {
    if (!table.delete(session.id)) return;
    session.end(reason, rpcErrors.CANCELLED({ reason }));
    try {
      await session.scope.dispose();
    } catch (err) {
      log.error({ err, session_id: session.id }, 'ending a session failed in part');
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
    get: (id: string): Session | undefined => table.get(id),
    values: (): IterableIterator<Session> => table.values(),
    /** A new session; throws SVC_MCP_TOO_MANY_SESSIONS when the table is full of sessions in use. */
    create(hello: ClientHello, broadcasts: number): Session {
      if (table.size >= config.max_sessions && ttlMs > 0) sweep();
      if (table.size >= config.max_sessions) {
        const details = { max_sessions: config.max_sessions, retry_after_secs: retryAfterSecs() };
        throw mcpErrors.TOO_MANY_SESSIONS(details);
      }
      const id = ids.uuid();
      const session = new Session({
        id,
        // One by one: members added after a spread cost V8 two KiB of garbage.
        protocolVersion: hello.protocolVersion,
        clientInfo: hello.clientInfo,
        clientCapabilities: hello.clientCapabilities,
        scope: scope.child(`session:${id}`),
        clock: ids.now,
        maxKeptEvents: config.sse_replay_events,
        // Half of what a client may leave unread, so that a replay alone never cuts it off.
        maxKeptBytes: Math.floor(config.sse_client_max_bytes / 2),
        broadcasts,
      });
      table.set(id, session);
      return session;
    },
    /** Ends a session: its calls, streams and scope. Resolves when its scope is disposed. */
    end,
    endAll: async (reason: string): Promise<void> => {
      await Promise.all([...table.values()].map(session => end(session, reason)));
    },
  };
}
