/**
 * What stands before Fastify's router: guards that every request passes, and the few routes that are hot enough to skip
 * the router. A direct route is also a Fastify route, which serves it whenever the short way is closed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Awaitable, isPromise } from '../schemas/awaitable.ts';
import { type SvcError, toHttpError, toSvcError } from './errors.ts';
import type { Disposer } from './scope.ts';

/**
 * Why a request is refused, or nothing. Runs for every request: it must be cheap, and waits only where it has to. There is
 * no response where a connection is to be something else than HTTP.
 */
export type RequestGuard = (request: IncomingMessage, response?: ServerResponse) => Awaitable<SvcError | undefined>;

export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => void;

type Timeouts = { keepAliveTimeout?: number; requestTimeout?: number };

export type Front = ReturnType<typeof createFront>;

export function createFront() {
  let guards: readonly RequestGuard[] = [];
  const routes = new Map<string, Record<string, DirectHandler | undefined>>();
  let holds = 0;

  /** The first guard's refusal, from the guard `index` on. */
  const check = (request: IncomingMessage, response?: ServerResponse, index = 0): ReturnType<RequestGuard> => {
    for (let next = index; next < guards.length; next += 1) {
      const refusal = guards[next]?.(request, response);
      if (isPromise(refusal)) return refusal.then(found => found ?? check(request, response, next + 1));
      if (refusal) return refusal;
    }
    return undefined;
  };

  const front = {
    check,
    /** Answers what a guard refuses. */
    refuse(error: SvcError, _request: IncomingMessage, response: ServerResponse): void {
      const { status, body } = toHttpError(error);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    },
    guard(added: RequestGuard): Disposer {
      guards = [...guards, added];
      return () => {
        guards = guards.filter(each => each !== added);
      };
    },
    /** Serves `method` at exactly `path` (no query) without the router; guards still apply. */
    direct(method: string, path: string, handler: DirectHandler): Disposer {
      routes.set(path, { ...routes.get(path), [method]: handler });
      return () => {
        const { [method]: mine, ...others } = routes.get(path) ?? {};
        if (mine !== handler) return;
        if (Object.keys(others).length > 0) routes.set(path, others);
        else routes.delete(path);
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
    /** The HTTP server: what passes the guards goes to a direct route, else to `next`. */
    server(next: DirectHandler, { keepAliveTimeout, requestTimeout }: Timeouts): Server {
      const serve: DirectHandler = (request, response) =>
        ((holds === 0 && routes.get(request.url ?? '')?.[request.method ?? '']) || next)(request, response);
      const server = createServer((request, response) => {
        const refusal = check(request, response);
        if (refusal === undefined) serve(request, response);
        else if (isPromise(refusal)) {
          const settle = (found: SvcError | undefined): void =>
            found ? front.refuse(found, request, response) : serve(request, response);
          refusal.then(settle, error => settle(toSvcError(error)));
        } else front.refuse(refusal, request, response);
      });
      // Set, not given: a `requestTimeout` of 0 that Node is made with takes the one for headers away, too.
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
      return server;
    },
  };
  return front;
}
