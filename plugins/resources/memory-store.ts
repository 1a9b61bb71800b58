/** Subscriptions of the sessions of this process. */
import type { SubscriptionStore } from './store.ts';
import { baseOf } from './uri.ts';

export function createMemorySubscriptions(): SubscriptionStore {
  /** By URI without its query, then by URI. */
  const byBase = new Map<string, Map<string, Set<string>>>();

  const drop = (sessionId: string, uri: string): void => {
    const base = baseOf(uri);
    const variants = byBase.get(base);
    const followers = variants?.get(uri);
    followers?.delete(sessionId);
    if (followers?.size === 0) variants?.delete(uri);
    if (variants?.size === 0) byBase.delete(base);
  };

  return {
    add(sessionId, uri) {
      const base = baseOf(uri);
      const variants = byBase.get(base) ?? new Map<string, Set<string>>();
      byBase.set(base, variants.set(uri, (variants.get(uri) ?? new Set()).add(sessionId)));
    },
    remove(sessionId, uris) {
      for (const uri of uris) drop(sessionId, uri);
    },
    followers: uri => [...(byBase.get(uri) ?? [])],
  };
}
