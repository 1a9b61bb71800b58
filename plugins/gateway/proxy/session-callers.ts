/**
 * Whose the sessions are that clients opened at instances through the proxy. An instance sees the gateway alone, so it is
 * the gateway that keeps one caller from going on with the session of another.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { GuardService } from '../../guard/api.ts';
import { proxyErrors } from './errors.ts';

/** Sessions remembered at once; who goes on with one that was forgotten begins anew. */
const most = 10_000;

export function createSessionCallers({ ownerOf }: Pick<GuardService, 'ownerOf'>) {
  const owners = new LRUCache<string, string>({ max: most });
  return {
    /** Throws SVC_PROXY_SESSION_UNKNOWN for a session of somebody else, or of nobody that is known. */
    check(request: IncomingMessage): void {
      const session = request.headers['mcp-session-id'];
      if (session !== undefined && owners.get(String(session)) !== ownerOf(request))
        throw proxyErrors.SESSION_UNKNOWN();
    },
    /** An instance gave a session to who sent a request. */
    note(request: IncomingMessage, session: string): void {
      const owner = ownerOf(request);
      if (owner !== undefined) owners.set(session, owner);
    },
  };
}
