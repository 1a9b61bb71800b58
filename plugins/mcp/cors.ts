/** CORS for browser clients, when it is asked for. The guard has refused foreign origins already: what is left is reflected. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { exposed } from '../../schemas/exposed-headers.ts';

const accepted = [
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
];

/** Headers of the endpoint's own answers, and the answers to preflights of every path. */
export async function allowCors(routes: FastifyInstance): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const options = { origin: true, methods: ['GET', 'POST', 'DELETE'], exposedHeaders: exposed, maxAge: 600 };
  await routes.register(cors, {
    delegator: ({ headers }, decide) =>
      decide(null, { ...options, allowedHeaders: [...accepted, ...paramHeaders(headers)] }),
  });
}

/** Headers that repeat arguments of tools (`x-mcp-header`) have names that only the tools know. */
const paramHeaders = ({ 'access-control-request-headers': asked }: IncomingHttpHeaders): string[] =>
  asked?.match(/\bmcp-param-[\w!#$%&'*+.^`|~-]+/gi) ?? [];
