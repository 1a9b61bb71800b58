/** CORS for browser clients, when it is asked for. The guard has refused foreign origins already: what is left is reflected. */
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RequestGuard } from '../../kernel/index.ts';

const exposed = [
  'Mcp-Session-Id',
  'Retry-After',
  'X-Request-Id',
  'X-Svc-Request-Id',
  'X-Svc-Trace-Id',
  'X-Svc-Search-Id',
  'X-Svc-Response-Format',
  'X-Svc-Index-Generation',
];

/** Headers of the endpoint's own answers, and the answers to preflights of every path. */
export async function allowCors(routes: FastifyInstance): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  await routes.register(cors, {
    origin: true,
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [
      'Content-Type',
      'Accept',
      'Authorization',
      'Mcp-Session-Id',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Last-Event-ID',
      'X-Request-Id',
      'Traceparent',
    ],
    exposedHeaders: exposed,
    maxAge: 600,
  });
}

/** The headers on the answers of all other routes, many of which are written past the framework. */
export function reflectOrigins(server: Server, check: RequestGuard): void {
  const names = exposed.join(', ');
  server.prependListener('request', (request, response) => {
    const { origin } = request.headers;
    if (origin === undefined || check(request)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', names);
    response.setHeader('Vary', 'Origin');
  });
}
