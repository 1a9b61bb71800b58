/** `/v1/debug/traffic`: what the live sink keeps, as a page, as a stream and as a file. To callers on this machine alone. */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import type { TrafficService } from './api.ts';
import { trafficErrors } from './errors.ts';
import {
  fileName,
  isAsked,
  listRows,
  mostRows,
  pageOf,
  rowsOf,
  shown,
  showsBodies,
  type TrafficQuery,
} from './query.ts';
import { streamFrames } from './stream.ts';

interface Route {
  Querystring: TrafficQuery;
}

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 300, description });
const query = (defaultRows: number, more: object = {}): FastifySchema['querystring'] => ({
  type: 'object',
  properties: {
    limit: {
      type: 'string',
      pattern: '^([1-9]\\d{0,2}|1000)$',
      description: `frames, at most ${mostRows} (${defaultRows})`,
    },
    leg: text('one of the four legs; here and below * stands for any text'),
    direction: text('inbound or outbound'),
    kind: text('request or response'),
    url: text('path of the request'),
    session_id: text('session'),
    capture_id: text('all legs of one call'),
    request_id: text('id of the request'),
    instance_id: text('instance'),
    dcc_type: text('host type'),
    search: text('words, all of which stand in the method, the path or an id'),
    ...more,
  },
});
const bodies = { bodies: { enum: ['true', 'false', '1', '0'], description: 'shows the redacted bodies, too' } };
const cursor = { cursor: text('where the page before ended') };

export const debugPath = '/v1/debug/traffic';

/** The same below each of `paths`; the first is the one of the description of the routes. */
export function addTrafficRoutes(app: FastifyInstance, traffic: TrafficService, paths: readonly string[]): void {
  const open = new Set<() => void>();

  const kept = (request: FastifyRequest) => {
    assertLocal(request);
    const found = traffic.kept();
    if (!found) throw trafficErrors.NOT_LIVE({ reason: traffic.status().message });
    return found;
  };

  for (const [index, path] of paths.entries()) {
    const named = (operationId: string, summary: string) => (index === 0 ? { operationId, summary } : { hide: true });
    app.get<Route>(
      path,
      {
        schema: {
          ...named('debug_traffic', 'Captured traffic, the newest first'),
          querystring: query(listRows, { ...cursor, ...bodies }),
        },
      },
      async request => {
        assertLocal(request);
        const { total, page, next_cursor } = pageOf(traffic.kept() ?? [], request.query);
        return {
          schema_version: 1,
          total,
          frames: page.map(each => shown(each, showsBodies(request.query))),
          ...(next_cursor !== undefined && { next_cursor }),
          capture_status: traffic.status(),
          links: { self: path, events: `${path}/events`, export: `${path}/export` },
        };
      },
    );

    app.get<Route>(
      `${path}/export`,
      {
        schema: {
          ...named('debug_traffic_export', 'Captured traffic as lines of JSON, the oldest first'),
          querystring: query(mostRows),
        },
      },
      async (request, reply) => {
        const rows = kept(request)
          .filter(each => isAsked(request.query, each))
          .slice(-rowsOf(request.query, mostRows));
        reply
          .header('content-type', 'application/x-ndjson')
          .header('content-disposition', `attachment; filename="${fileName(request.query)}"`);
        return rows.map(each => `${JSON.stringify(each.event)}\n`).join('');
      },
    );

    app.get<Route>(
      `${path}/events`,
      {
        exposeHeadRoute: false,
        schema: {
          ...named('debug_traffic_events', 'Captured traffic as it passes'),
          querystring: query(mostRows, bodies),
        },
      },
      (request, reply) => {
        kept(request);
        reply.hijack();
        const end = streamFrames(traffic, request.query, reply.raw);
        open.add(end);
        reply.raw.once('close', () => open.delete(end));
      },
    );
  }

  // They would last as long as their readers.
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });
}

/** What a proxy passes on comes from elsewhere, whoever brings it. */
function assertLocal({ raw }: FastifyRequest): void {
  const { remoteAddress = '' } = raw.socket;
  const local = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress);
  if (!local || raw.headers['x-forwarded-for'] !== undefined || raw.headers.forwarded !== undefined)
    throw trafficErrors.NOT_LOCAL();
}
