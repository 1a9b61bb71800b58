/** Who follows which resource: per session, bounded, gone with the session. */
import { type Awaitable, createTurns, type Disposer, isPromise, type RpcSession } from '../../kernel/index.ts';
import { resourceErrors } from './errors.ts';
import type { SubscriptionStore } from './store.ts';

export type Subscriptions = ReturnType<typeof createSubscriptions>;

export function createSubscriptions(limitOf: (session: RpcSession) => number, store: SubscriptionStore) {
  const bySession = new Map<string, Map<string, Disposer | undefined>>();
  const turns = createTurns();

  const ownedBy = ({ id, scope }: RpcSession): Map<string, Disposer | undefined> => {
    const known = bySession.get(id);
    if (known) return known;
    const made = new Map<string, Disposer | undefined>();
    // First: a session that is ending refuses, and nothing must be kept for it.
    scope.add('resource subscriptions', () => {
      bySession.delete(id);
      for (const release of made.values()) void release?.();
      return turns.take(id, () => store.remove(id, [...made.keys()]));
    });
    bySession.set(id, made);
    return made;
  };

  return {
    has: (session: RpcSession, uri: string): boolean => bySession.get(session.id)?.has(uri) ?? false,
    /**
     * Idempotent; throws SVC_RESOURCES_TOO_MANY beyond the bound. `release` runs when the subscription ends, also when it
     * could not be stored.
     */
    add(session: RpcSession, uri: string, release?: Disposer): Awaitable<void> {
      const mine = ownedBy(session);
      if (mine.has(uri)) {
        void release?.();
        // The first of them may not be stored yet.
        return turns.take(session.id, () => undefined);
      }
      const limit = limitOf(session);
      if (mine.size >= limit) {
        void release?.();
        throw resourceErrors.TOO_MANY({ limit });
      }
      mine.set(uri, release);
      const undo = (error: unknown): never => {
        mine.delete(uri);
        void release?.();
        throw error;
      };
      try {
        const stored = turns.take(session.id, () => store.add(session.id, uri));
        return isPromise(stored) ? stored.catch(undo) : stored;
      } catch (error) {
        return undo(error);
      }
    },
    remove(session: RpcSession, uri: string): Awaitable<void> {
      const mine = bySession.get(session.id);
      const release = mine?.get(uri);
      if (!mine?.delete(uri)) return;
      void release?.();
      return turns.take(session.id, () => store.remove(session.id, [uri]));
    },
    get size(): number {
      return [...bySession.values()].reduce((sum, each) => sum + each.size, 0);
    },
    /** Sessions that follow anything. */
    get sessions(): number {
      return [...bySession.values()].filter(each => each.size > 0).length;
    },
  };
}
