/** Which session follows which resource: the contract of every driver. */
import type { Awaitable } from '../../kernel/index.ts';

export type Followers = readonly (readonly [uri: string, sessionIds: ReadonlySet<string>])[];

/** Calls about one session are made one after the other. */
export interface SubscriptionStore {
  /** Idempotent. */
  add(sessionId: string, uri: string): Awaitable<void>;
  remove(sessionId: string, uris: readonly string[]): Awaitable<void>;
  /** Followed URIs that are `uri` or `uri` with a query, each with the ids of the sessions that follow it. */
  followers(uri: string): Awaitable<Followers>;
}
