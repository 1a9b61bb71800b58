/** GET /v1/resources, /v1/resources/{uri} and /v1/resources/{uri}/events (CONTRACT 5). */
import type { FastifyInstance } from 'fastify';
import type { RouteTools } from '../rest/api.ts';
import type { ResourcesService } from './api.ts';
import { resourceErrors } from './errors.ts';
import type { EventStreams } from './event-streams.ts';

interface UriParams {
  Params: { uri: string };
}

export interface ResourceRoutesDeps {
  resources: Pick<ResourcesService, 'list' | 'read' | 'check' | 'onUpdated'>;
  enabled: boolean;
  streams: EventStreams;
  tools: RouteTools;
}

/** A URI is one percent-encoded segment of the path; the router has decoded it once. */
export function addResourceRoutes(routes: FastifyInstance, deps: ResourceRoutesDeps): void {
  const { resources, enabled, streams } = deps;
  const { requestId, goneSignal } = deps.tools;
  const requireEnabled = (): void => {
    if (!enabled) throw resourceErrors.OFF();
  };

  const list = { operationId: 'resources', summary: 'Resources that can be read' };
  routes.get('/resources', { schema: list }, async (request, reply) => {
    requireEnabled();
    const listed = await resources.list();
    return { total: listed.length, resources: listed, request_id: requestId(request, reply) };
  });

  const one = { operationId: 'resource', summary: 'Read one resource' };
  routes.get<UriParams>('/resources/:uri', { schema: one }, async ({ params }, reply) => {
    requireEnabled();
    return { contents: await resources.read(params.uri, goneSignal(reply)) };
  });

  routes.get<UriParams>('/resources/:uri/events', { exposeHeadRoute: false }, (request, reply) => {
    const { uri } = request.params;
    requireEnabled();
    resources.check(uri);
    streams.requireRoom();
    reply.hijack();
    const headers = { 'X-Request-Id': requestId(request, reply) };
    streams.open(reply.raw, headers, send => {
      const stop = resources.onUpdated(uri, send);
      return () => void stop();
    });
  });
}
