/** Who follows which resource: per session, bounded, gone with the session. */
import type { RpcSession } from '../../kernel/index.ts';
import { resourceErrors } from './errors.ts';

export interface Subscriptions {
  /** Idempotent; throws SVC_RESOURCES_TOO_MANY beyond the bound. */
  add(session: RpcSession, uri: string): void;
  remove(session: RpcSession, uri: string): void;
  /** Ids of the sessions that follow `uri`. */
  followers(uri: string): ReadonlySet<string> | undefined;
  readonly size: number;
}

export function createSubscriptions(limit: number): Subscriptions {
  const byUri = new Map<string, Set<string>>();
  const bySession = new Map<string, Set<string>>();

  const drop = (sessionId: string, uri: string): void => {
    const followers = byUri.get(uri);
    followers?.delete(sessionId);
    if (followers?.size === 0) byUri.delete(uri);
  };

  const ownedBy = (session: RpcSession): Set<string> => {
    const known = bySession.get(session.id);
    if (known) return known;
    const made = new Set<string>();
    bySession.set(session.id, made);
    session.scope.add('resource subscriptions', () => {
      bySession.delete(session.id);
      for (const uri of made) drop(session.id, uri);
    });
    return made;
  };

  return {
    add(session, uri) {
      const mine = ownedBy(session);
      if (mine.has(uri)) return;
      if (mine.size >= limit) throw resourceErrors.TOO_MANY({ limit });
      mine.add(uri);
      byUri.set(uri, (byUri.get(uri) ?? new Set()).add(session.id));
    },
    remove(session, uri) {
      if (bySession.get(session.id)?.delete(uri)) drop(session.id, uri);
    },
    followers: uri => byUri.get(uri),
    get size() {
      return [...bySession.values()].reduce((sum, each) => sum + each.size, 0);
    },
  };
}
