/**
 * What stands before Fastify's router: guards that every request passes, and the few routes that are hot enough to skip
 * the router. A direct route is also a Fastify route, which serves it whenever the short way is closed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SvcError } from './errors.ts';
import type { Disposer } from './scope.ts';

/** Why a request is refused, or nothing. Runs for every request: it must be cheap and synchronous. */
export type RequestGuard = (request: IncomingMessage) => SvcError | undefined;

export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Front {
  guard(check: RequestGuard): Disposer;
  /** The first guard's refusal. */
  check: RequestGuard;
  /** Serves `method` at exactly `path` (no query) without the router; guards still apply. */
  direct(method: string, path: string, handler: DirectHandler): Disposer;
  /** Sends everything through the router until `event` settles. */
  holdUntil(event: Promise<unknown>): void;
  /** The HTTP server: direct routes, else `next`. */
  server(next: DirectHandler, timeouts: { keepAliveTimeout?: number; requestTimeout?: number }): Server;
}

export function createFront(): Front {
  const guards = new Set<RequestGuard>();
  const routes = new Map<string, Record<string, DirectHandler | undefined>>();
  let holds = 0;

  const check: RequestGuard = request => {
    for (const guard of guards) {
      const refusal = guard(request);
      if (refusal) return refusal;
    }
    return undefined;
  };

  return {
    check,
    guard(added) {
      guards.add(added);
      return () => void guards.delete(added);
    },
    direct(method, path, handler) {
      routes.set(path, { ...routes.get(path), [method]: handler });
      return () => {
        if (routes.get(path)?.[method] === handler) routes.set(path, { ...routes.get(path), [method]: undefined });
      };
    },
    holdUntil(event) {
      holds += 1;
      const release = (): void => {
        holds -= 1;
      };
      event.then(release, release);
    },
    server(next, { keepAliveTimeout, requestTimeout }) {
      const server = createServer((request, response) => {
        const handler = holds === 0 ? routes.get(request.url ?? '')?.[request.method ?? ''] : undefined;
        // What a guard refuses goes the long way, where errors become answers.
        if (handler && !check(request)) handler(request, response);
        else next(request, response);
      });
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
      return server;
    },
  };
}
