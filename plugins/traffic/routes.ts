/** `/v1/debug/traffic`: what the live sink keeps, as a page, as a stream and as a file. To callers on this machine alone. */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { isSvcError } from '../../kernel/index.ts';
import { isLocalCaller } from '../../schemas/local-caller.ts';
import type { GatewayService } from '../gateway/api.ts';
import type { Codec } from '../rest/api.ts';
import type { TrafficService } from './api.ts';
import { trafficErrors } from './errors.ts';
import {
  encodingNames,
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

export interface RoutesDeps {
  readonly traffic: TrafficService;
  /** The same below each of them; the first is the one of the description of the routes. */
  readonly paths: readonly string[];
  /** For who asks for TOON. */
  readonly codec: Codec | undefined;
  readonly failure: GatewayService['failure'] | undefined;
}

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 300, description });
const encodings = Object.fromEntries(
  encodingNames.map(name => [name, { type: 'string', maxLength: 40, description: 'form of the page: json or toon' }]),
);
const query = (defaultRows: number, more: object = {}): FastifySchema['querystring'] => ({
  type: 'object',
  additionalProperties: false,
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
    ...encodings,
    ...more,
  },
});
const bodies = { bodies: { enum: ['true', 'false', '1', '0'], description: 'shows the redacted bodies, too' } };
const cursor = { cursor: text('where the page before ended') };

export const debugPath = '/v1/debug/traffic';

export function addTrafficRoutes(app: FastifyInstance, deps: RoutesDeps): void {
  const open = new Set<() => void>();
  app.register(async routes => {
    const { failure } = deps;
    if (failure) {
      routes.setErrorHandler((error, request, reply) => {
        const { status, error: told } = failure(error);
        if (status >= 500) request.log.error({ err: error, url: request.url }, 'a read of captured traffic failed');
        return reply.code(isSvcError(error) ? error.row.http : status).send({ error: told });
      });
    }
    for (const path of deps.paths) addPath(routes, path, deps, open);
  });
  // They would last as long as their readers.
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });
}

function addPath(
  routes: FastifyInstance,
  path: string,
  { traffic, paths, codec }: RoutesDeps,
  open: Set<() => void>,
): void {
  const kept = (request: FastifyRequest) => {
    assertLocal(request);
    const found = traffic.kept();
    if (!found) throw trafficErrors.NOT_LIVE({ reason: traffic.status().message });
    return found;
  };
  const send = async ({ query: asked, headers }: FastifyRequest, reply: FastifyReply, value: object) => {
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    if (!codec || codec.ofRead(asked, headers.accept) === 'json') return value;
    await codec.load();
    const { text: page, contentType } = codec.encode({ value }, 'toon', { kind: 'none', door: 'rest' });
    return reply.type(contentType).send(page);
  };
  const named = (operationId: string, summary: string) =>
    path === paths[0] ? { operationId, summary } : { hide: true };

  routes.get<Route>(
    path,
    {
      schema: {
        ...named('debug_traffic', 'Captured traffic, the newest first'),
        querystring: query(listRows, { ...cursor, ...bodies }),
      },
    },
    async (request, reply) => {
      assertLocal(request);
      const { total, page, next_cursor } = pageOf(traffic.kept() ?? [], request.query);
      return send(request, reply, {
        schema_version: 1,
        total,
        frames: page.map(each => shown(each, showsBodies(request.query))),
        ...(next_cursor !== undefined && { next_cursor }),
        capture_status: traffic.status(),
        links: { self: path, events: `${path}/events`, export: `${path}/export` },
      });
    },
  );

  routes.get<Route>(
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

  routes.get<Route>(
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

/** What a proxy passes on comes from elsewhere, whoever brings it. */
function assertLocal({ raw }: FastifyRequest): void {
  if (!isLocalCaller(raw)) throw trafficErrors.NOT_LOCAL();
}
