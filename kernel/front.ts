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

type Timeouts = { keepAliveTimeout?: number; requestTimeout?: number };

export type Front = ReturnType<typeof createFront>;

export function createFront() {
  const guards = new Set<RequestGuard>();
  const routes = new Map<string, Record<string, DirectHandler | undefined>>();
  let holds = 0;

  /** The first guard's refusal. */
  const check: RequestGuard = request => {
    for (const guard of guards) {
      const refusal = guard(request);
      if (refusal) return refusal;
    }
    return undefined;
  };

  return {
    check,
    guard(added: RequestGuard): Disposer {
      guards.add(added);
      return () => void guards.delete(added);
    },
    /** Serves `method` at exactly `path` (no query) without the router; guards still apply. */
    direct(method: string, path: string, handler: DirectHandler): Disposer {
      routes.set(path, { ...routes.get(path), [method]: handler });
      return () => {
        if (routes.get(path)?.[method] === handler) routes.set(path, { ...routes.get(path), [method]: undefined });
      };
    },
    /** Sends everything through the router until `event` settles. */
    holdUntil(event: Promise<unknown>): void {
      holds += 1;
      const release = (): void => {
        holds -= 1;
      };
      event.then(release, release);
    },
    /** The HTTP server: direct routes, else `next`. */
    server(next: DirectHandler, { keepAliveTimeout, requestTimeout }: Timeouts): Server {
      const server = createServer((request, response) => {
        const handler = holds === 0 ? routes.get(request.url ?? '')?.[request.method ?? ''] : undefined;
        // What a guard refuses goes the long way, where errors become answers.
        if (handler && !check(request)) handler(request, response);
        else next(request, response);
      });
      // Set, not given: a `requestTimeout` of 0 that Node is made with takes the one for headers away, too.
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
      return server;
    },
  };
}
