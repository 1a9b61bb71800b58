/** Who follows which resource: per session, bounded, gone with the session. */
import type { Disposer, RpcSession } from '../../kernel/index.ts';
import { resourceErrors } from './errors.ts';

export interface Subscriptions {
  has(session: RpcSession, uri: string): boolean;
  /** Idempotent; throws SVC_RESOURCES_TOO_MANY beyond the bound. `release` runs when the subscription ends. */
  add(session: RpcSession, uri: string, release?: Disposer): void;
  remove(session: RpcSession, uri: string): void;
  /** Followed URIs that are `uri` or `uri` with a query, each with the ids of the sessions that follow it. */
  followers(uri: string): readonly (readonly [uri: string, sessionIds: ReadonlySet<string>])[];
  readonly size: number;
  /** Sessions that follow anything. */
  readonly sessions: number;
}

export function createSubscriptions(limit: number): Subscriptions {
  /** By URI without its query, then by URI. */
  const byBase = new Map<string, Map<string, Set<string>>>();
  const bySession = new Map<string, Map<string, Disposer | undefined>>();

  const drop = (sessionId: string, uri: string): void => {
    const base = baseOf(uri);
    const variants = byBase.get(base);
    const followers = variants?.get(uri);
    followers?.delete(sessionId);
    if (followers?.size === 0) variants?.delete(uri);
    if (variants?.size === 0) byBase.delete(base);
  };

  const ownedBy = (session: RpcSession): Map<string, Disposer | undefined> => {
    const known = bySession.get(session.id);
    if (known) return known;
    const made = new Map<string, Disposer | undefined>();
    // First: a session that is ending refuses, and nothing must be kept for it.
    session.scope.add('resource subscriptions', () => {
      bySession.delete(session.id);
      for (const [uri, release] of made) {
        drop(session.id, uri);
        void release?.();
      }
    });
    bySession.set(session.id, made);
    return made;
  };

  return {
    has: (session, uri) => bySession.get(session.id)?.has(uri) ?? false,
    add(session, uri, release) {
      const mine = ownedBy(session);
      if (mine.has(uri)) return void release?.();
      if (mine.size >= limit) {
        void release?.();
        throw resourceErrors.TOO_MANY({ limit });
      }
      mine.set(uri, release);
      const base = baseOf(uri);
      const variants = byBase.get(base) ?? new Map<string, Set<string>>();
      byBase.set(base, variants.set(uri, (variants.get(uri) ?? new Set()).add(session.id)));
    },
    remove(session, uri) {
      const mine = bySession.get(session.id);
      const release = mine?.get(uri);
      if (!mine?.delete(uri)) return;
      drop(session.id, uri);
      void release?.();
    },
    followers: uri => [...(byBase.get(uri) ?? [])],
    get size() {
      return [...bySession.values()].reduce((sum, each) => sum + each.size, 0);
    },
    get sessions() {
      return [...bySession.values()].filter(each => each.size > 0).length;
    },
  };
}

/** A URI without its query. */
export const baseOf = (uri: string): string => uri.split('?', 1)[0] as string;
