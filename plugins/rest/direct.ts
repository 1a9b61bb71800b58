/** The direct way of a call: read, run, encode and answer on Node's request, past Fastify's router. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ids, Logger } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import type { CallAnswer, Compaction, RestSide } from './api.ts';
import { readJson } from './body.ts';
import { correlationOf } from './correlation.ts';
import { Gone, type Negotiation, retryAfter, sendAnswer } from './negotiated.ts';
import { call } from './operations.ts';

export interface DirectDeps {
  run: NonNullable<RestSide['direct']>;
  negotiation: Negotiation;
  ids: Pick<Ids, 'uuid'>;
  log: Pick<Logger, 'error'>;
  maxBytes: number;
}

export function createDirectCall({ run, negotiation, ids, log, maxBytes }: DirectDeps) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const correlation = correlationOf(request, ids);
    const { requestId, traceId } = correlation;
    const answer = (
      body: unknown,
      status: number,
      value: Json | CallAnswer,
      compaction: Compaction,
      retry?: string,
    ) => {
      const answered = negotiation.answer(
        value,
        negotiation.formatOf(body, request.headers.accept),
        compaction,
        correlation,
      );
      if (retry !== undefined) answered.headers['Retry-After'] = retry;
      sendAnswer(response, status, answered);
    };
    const refuse = (error: unknown, body: unknown): void => {
      const refusal = negotiation.refusal(error, call, body, requestId);
      if (refusal.status === 500) log.error({ err: error, request_id: requestId }, 'a call failed');
      answer(body, refusal.status, refusal.body, 'none', retryAfter(refusal));
    };
    const serve = async (body: unknown): Promise<void> => {
      try {
        const given = negotiation.bodyOf(call, body);
        answer(body, 200, await run(given, { requestId, traceId, signal: new Gone(response) }), call.compaction);
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
