/** What other plugins may use of the routes under `/v1`. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RouteTools } from '../../resources/api.ts';

/** Routes under `/v1` whose answers have a request id and whose failures have one envelope. */
export interface RouteFamily {
  /** Answers a request that failed; the header with its id is set already. */
  refuse(error: unknown, reply: FastifyReply, requestId: string): FastifyReply;
  /** Adds the routes; paths are below `/v1`. */
  add(routes: FastifyInstance, tools: RouteTools): void;
}

export interface RestRoutesService {
  /** Adds a family, before the server listens. */
  add(family: RouteFamily): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    restRoutes: RestRoutesService;
  }
}
