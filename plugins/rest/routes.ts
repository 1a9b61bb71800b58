/** The routes under `/v1`, the same in front of every service: their schemas, their request ids, their failures. */

import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Ids, Logger } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import { isJson } from '../../schemas/media-type.ts';
import type { Span, TracingService } from '../telemetry/tracing/api.ts';
import type { Codec, Refusal, RestSide, RouteTools } from './api.ts';
import { type Correlation, correlationOf } from './correlation.ts';
import { restErrors } from './errors.ts';
import { isPassed, type Negotiation, retryAfter } from './negotiated.ts';
import { answered, pathOf } from './openapi.ts';
import { describe, type Operation, operations } from './operations.ts';
import { addPromptRoutes } from './prompt-routes.ts';
import { beginRequestSpan, endRequestSpan, tied } from './request-span.ts';
import { allowEvents, type Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of a route whose answers are negotiated. */
    operation?: Operation;
  }
}

export interface RoutesDeps {
  side: RestSide;
  codec: Codec;
  negotiation: Negotiation;
  ids: Pick<Ids, 'uuid'>;
  tracing: TracingService | undefined;
  log: Pick<Logger, 'error'>;
  maxBytes: number;
  streams: Streams;
  heartbeatSecs: number;
}

type Correlate = (request: FastifyRequest, reply: FastifyReply, span?: Span) => Correlation;

/** The request id and the trace, made and told on first use: the guard may refuse a request before any hook of ours. */
export function correlator(ids: RoutesDeps['ids']): Correlate {
  const known = new WeakMap<FastifyRequest, Correlation>();
  return (request, reply, span) => {
    const made = known.get(request) ?? correlationOf(request.raw, ids);
    const found = span ? tied(made, span) : made;
    known.set(request, found);
    reply.header('x-request-id', found.requestId);
    return found;
  };
}

/** Adds them below the prefix of `routes`. */
export async function addRoutes(routes: FastifyInstance, deps: RoutesDeps): Promise<void> {
  const { side, ids, maxBytes, streams, heartbeatSecs } = deps;
  const correlate = correlator(ids);
  const tools: RouteTools = {
    requestId: (request, reply) => correlate(request, reply).requestId,
    goneSignal,
    stream: streams.send,
  };

  await allowEvents(routes, heartbeatSecs);
  acceptAnyBody(routes, side, maxBytes);
  routes.addHook('onRequest', (request, reply, done) => {
    correlate(request, reply);
    done();
  });
  addAnswers(routes, deps, correlate);
  addOperations(routes, deps, correlate);
  routes.get('/skills', { schema: { ...skills, response: answered(side.answers.skills) } }, (request, reply) => ({
    ...side.service.skills(),
    request_id: tools.requestId(request, reply),
  }));
  addPromptRoutes(routes, side.prompts, tools);
  side.add?.(routes, tools);
}

const skills: FastifySchema = { operationId: 'skills', summary: 'Tools that can be called now' };

/** Aborted when the client goes away before it has its answer. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** JSON under any media type, or nothing; a search that cannot be read may count as an empty one. */
function acceptAnyBody(routes: FastifyInstance, side: RestSide, maxBytes: number): void {
  const parse = routes.getDefaultJsonParser('error', 'error');
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBytes }, (request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, undefined);
    if (!isJson(request.headers['content-type'])) return done(restErrors.MEDIA_TYPE());
    const { operation } = request.routeOptions.config;
    const lenient = operation?.name === 'search' && side.lenientSearch;
    return parse(request, text, (error, value) => (error && lenient ? done(null, undefined) : done(error, value)));
  });
}

/** Answers of the operations in the form that the client asks for; failures of all routes in the side's envelope. */
function addAnswers(
  routes: FastifyInstance,
  { side, codec, negotiation, log, maxBytes }: RoutesDeps,
  correlate: Correlate,
) {
  const formatOf = ({ body, query, headers }: FastifyRequest) => negotiation.formatOf(body ?? query, headers.accept);

  const negotiate = (request: FastifyRequest, reply: FastifyReply, operation: Operation): void => {
    reply.serializer((value: Json) => {
      const kind = reply.statusCode < 400 ? operation.compaction : 'failure';
      const form = { kind, door: 'rest', asked: request.body ?? request.query } as const;
      const { encoded, headers } = negotiation.answer(value, formatOf(request), form, correlate(request, reply));
      reply.headers(headers);
      return encoded.text;
    });
  };

  routes.addHook('preSerialization', async (request, reply, value) => {
    const { operation } = request.routeOptions.config;
    if (!operation) return value;
    if (formatOf(request) === 'toon') await codec.load();
    negotiate(request, reply, operation);
    return value;
  });

  routes.setErrorHandler((thrown: Error & { code?: string }, request, reply) => {
    const large = thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    const error = large ? restErrors.BODY_TOO_LARGE({ max_request_body_bytes: maxBytes }) : thrown;
    const { requestId } = correlate(request, reply);
    const { operation } = request.routeOptions.config;
    const refusal = negotiation.refusal(error, operation, request.body, requestId);
    if (refusal.status === 500) log.error({ err: error, request_id: requestId }, 'a REST request failed');
    return sendRefusal(reply, refusal);
  });
  routes.setNotFoundHandler((request, reply) => {
    const failure = restErrors.NO_ROUTE({ method: request.method, path: request.url.split('?')[0] });
    return reply.code(404).send(side.refusal(failure, correlate(request, reply).requestId).body);
  });
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const retry = retryAfter(refusal);
  if (retry !== undefined) reply.header('Retry-After', retry);
  return reply.code(refusal.status).send(refusal.body);
}

function addOperations(
  routes: FastifyInstance,
  { side, negotiation, tracing }: RoutesDeps,
  correlate: Correlate,
): void {
  const run = async (operation: Operation, given: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { method, headers, routeOptions } = request;
    const span = tracing?.on && beginRequestSpan(tracing, method, routeOptions.url ?? '', headers, given);
    let failed = false;
    if (span) reply.raw.once('close', () => endRequestSpan(span, reply.statusCode, failed));
    const body = negotiation.bodyOf(operation, given);
    const { requestId, traceId, traceparent, arrived } = correlate(request, reply, span || undefined);
    const compact = negotiation.formatOf(given, headers.accept) === 'toon';
    const trace = span ? span.context : undefined;
    const told = { requestId, traceId, traceparent, arrived, http: request.raw };
    const caller = { ...told, trace, compact, signal: goneSignal(reply) };
    const answer = await operation.run(side.service, body, caller);
    failed = isPassed(answer) && answer.failed;
    if (isPassed(answer) && answer.accepted) reply.code(202);
    return answer;
  };
  const response = (name: Operation['name']) => answered(side.answers[name], side.answers.failure);
  for (const operation of operations) {
    const { name, summary, body } = operation;
    const schema: FastifySchema = { operationId: name, summary, body, response: response(name) };
    routes.post(`/${name}`, { schema, config: { operation } }, (request, reply) =>
      run(operation, request.body, request, reply),
    );
  }
  const schema: FastifySchema = {
    operationId: 'tool',
    summary: 'The same by path',
    params: pathOf({ slug: 'The slug of a tool' }),
    response: response('describe'),
  };
  routes.get<{ Params: { slug: string }; Querystring: Json }>(
    '/tools/:slug',
    { schema, config: { operation: describe } },
    (request, reply) => run(describe, { ...request.query, tool_slug: request.params.slug }, request, reply),
  );
}
