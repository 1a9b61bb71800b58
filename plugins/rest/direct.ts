/** The direct way of a call: read, run, encode and answer on Node's request, past Fastify's router. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../schemas/loose.ts';
import type { Span } from '../telemetry/tracing/api.ts';
import type { CallAnswer, Compaction, RestSide } from './api.ts';
import { readJson } from './body.ts';
import { correlationOf } from './correlation.ts';
import { Gone, isPassed, retryAfter, sendAnswer } from './negotiated.ts';
import { call } from './operations.ts';
import { beginRequestSpan, endRequestSpan, tied } from './request-span.ts';
import type { RoutesDeps } from './routes.ts';

export interface DirectDeps extends Pick<RoutesDeps, 'negotiation' | 'ids' | 'log' | 'maxBytes' | 'tracing'> {
  run: NonNullable<RestSide['direct']>;
}

export function createDirectCall({ run, negotiation, ids, log, maxBytes, tracing }: DirectDeps) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    let correlation = correlationOf(request, ids);
    let span: Span | undefined;
    const { requestId } = correlation;
    const answer = (
      body: unknown,
      status: number,
      value: Json | CallAnswer,
      compaction: Compaction,
      retry?: string,
    ) => {
      const format = negotiation.formatOf(body, request.headers.accept);
      const answered = negotiation.answer(value, format, { kind: compaction, door: 'rest', asked: body }, correlation);
      if (retry !== undefined) answered.headers['Retry-After'] = retry;
      sendAnswer(response, status, answered);
      if (span) endRequestSpan(span, status, isPassed(value) && value.failed);
    };
    const refuse = (error: unknown, body: unknown): void => {
      const refusal = negotiation.refusal(error, call, body, requestId);
      if (refusal.status === 500) log.error({ err: error, request_id: requestId }, 'a call failed');
      answer(body, refusal.status, refusal.body, 'failure', retryAfter(refusal));
    };
    const serve = async (body: unknown): Promise<void> => {
      if (tracing?.on) {
        span = beginRequestSpan(tracing, 'POST', '/v1/call', request.headers, body);
        correlation = tied(correlation, span);
      }
      const { traceId, traceparent, arrived } = correlation;
      try {
        const given = negotiation.bodyOf(call, body);
        const told = { requestId, traceId, traceparent, arrived, http: request };
        const caller = { ...told, trace: span?.context, signal: new Gone(response) };
        answer(body, 200, await run(given, caller), call.compaction);
      } catch (error) {
        refuse(error, body);
      }
    };
    readJson(
      request,
      maxBytes,
      body => void serve(body),
      error => refuse(error, undefined),
    );
  };
}
