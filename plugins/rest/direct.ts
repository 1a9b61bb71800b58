/** One request of the negotiated family: read, run, encode, answer. Failures are negotiated as well. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Ids, isSvcError, type Logger } from '../../../kernel/index.ts';
import type { CallAnswer, Caller, Compaction, GatewayService, Json, ResponseFormat } from '../api.ts';
import { Gone, sendAnswer } from './answer.ts';
import { readJson } from './body.ts';
import { type Correlation, correlationOf } from './correlation.ts';
import { restErrors } from './errors.ts';

export interface Operation {
  compaction: Compaction;
  /** A body that cannot be read as an object counts as an empty one. */
  lenient?: true;
  /** Whether failures carry `success: false` at the top. */
  isBatch(body: Json): boolean;
  run(body: Json, caller: Caller): Promise<Json | CallAnswer>;
}

export interface ExchangeDeps {
  gateway: GatewayService;
  ids: Pick<Ids, 'uuid'>;
  log: Pick<Logger, 'error'>;
  maxBytes: number;
}

export type Exchange = ReturnType<typeof createExchange>;

export function createExchange({ gateway, ids, log, maxBytes }: ExchangeDeps) {
  const fail = (
    error: unknown,
    batched: boolean,
    format: ResponseFormat,
    response: ServerResponse,
    correlation: Correlation,
  ): void => {
    const { status, error: told, retry_after_secs } = gateway.failure(error);
    if (status === 500) log.error({ err: error, request_id: correlation.requestId }, 'a gateway request failed');
    const value = { ...(batched && { success: false }), error: told };
    const encoded = gateway.encode({ value }, format, 'none');
    const { indexGeneration } = gateway;
    sendAnswer(response, { status, encoded, indexGeneration, retryAfterSecs: retry_after_secs, ...correlation });
  };

  const succeed = (
    answer: Json | CallAnswer,
    compaction: Compaction,
    format: ResponseFormat,
    response: ServerResponse,
    correlation: Correlation,
  ): void => {
    const passed = isPassed(answer);
    const encoded = gateway.encode(passed ? { json: answer.text } : { value: answer }, format, compaction);
    const { search_id, ranker_version, index_generation } = passed ? ({} as Json) : answer;
    sendAnswer(response, {
      status: 200,
      encoded,
      indexGeneration: typeof index_generation === 'string' ? index_generation : gateway.indexGeneration,
      searchId: typeof search_id === 'string' ? search_id : undefined,
      rankerVersion: typeof ranker_version === 'string' ? ranker_version : undefined,
      ...correlation,
    });
  };

  /** Runs an operation on a body that has been read; nothing rejects. */
  const serve = async (
    operation: Operation,
    body: unknown,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const correlation = correlationOf(request, ids);
    const format = gateway.chooseFormat(body, request.headers.accept);
    let batched = false;
    try {
      const given = operation.lenient && !isObject(body) ? {} : (body ?? {});
      if (!isObject(given)) throw restErrors.BODY({ reason: 'it is none' });
      batched = operation.isBatch(given);
      const answer = await operation.run(given, callerOf(correlation, response));
      succeed(answer, operation.compaction, format, response, correlation);
    } catch (error) {
      fail(error, batched, format, response, correlation);
    }
  };

  return {
    serve,
    /** Reads the body and serves. */
    receive(operation: Operation, request: IncomingMessage, response: ServerResponse): void {
      const refuse = (error: unknown): void => {
        if (operation.lenient && isSvcError(error) && error.code === 'SVC_GATEWAY_REST_BODY') {
          void serve(operation, undefined, request, response);
          return;
        }
        const format = gateway.chooseFormat(undefined, request.headers.accept);
        fail(error, false, format, response, correlationOf(request, ids));
      };
      readJson(request, maxBytes, body => void serve(operation, body, request, response), refuse);
    },
  };
}

const callerOf = ({ requestId, traceId }: Correlation, response: ServerResponse): Caller => ({
  requestId,
  traceId,
  signal: new Gone(response),
});

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answer of one call is text already. */
const isPassed = (answer: Json | CallAnswer): answer is CallAnswer =>
  typeof answer.text === 'string' && typeof answer.failed === 'boolean';
