/** GET /v1/resources, /v1/resources/{uri} and /v1/resources/{uri}/events (shape:instance). */
import type { FastifyInstance } from 'fastify';
import type { RouteTools } from '../rest/api.ts';
import type { ResourcesService } from './api.ts';
import { resourceErrors } from './errors.ts';
import type { UpdateEvents } from './update-events.ts';

interface UriParams {
  Params: { uri: string };
}

export interface ResourceRoutesDeps {
  resources: Pick<ResourcesService, 'list' | 'read' | 'check'>;
  enabled: boolean;
  events: UpdateEvents;
  tools: RouteTools;
}

const streamed = {
  response: { 200: { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
};

/** A URI is one percent-encoded segment of the path; the router has decoded it once. */
export function addResourceRoutes(routes: FastifyInstance, deps: ResourceRoutesDeps): void {
  const { resources, enabled, events } = deps;
  const { requestId, goneSignal, stream } = deps.tools;
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

  const following = { operationId: 'resource_events', summary: 'What happens to one resource', ...streamed };
  const options = { sse: 'only', exposeHeadRoute: false, schema: following } as const;
  routes.get<UriParams>('/resources/:uri/events', options, ({ params: { uri } }, reply) => {
    requireEnabled();
    resources.check(uri);
    return stream(reply, async (signal, cut) => events(uri, signal, cut));
  });
}
