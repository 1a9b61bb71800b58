/** Negotiated answers: their form, and the headers that tell of them (shape:encoding, shape:correlation). */

import type { ServerResponse } from 'node:http';
import { Abandonment } from '../../schemas/abandonment.ts';
import { note } from '../../schemas/call-record.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import type { CallAnswer, Codec, CompactForm, Encoded, Refusal, ResponseFormat, RestSide } from './api.ts';
import type { Correlation } from './correlation.ts';
import { restErrors } from './errors.ts';
import { acceptedFormat } from './format.ts';
import type { Operation } from './operations.ts';

/** Tells when the client goes away before it has its answer. */
export class Gone extends Abandonment {
  constructor(response: ServerResponse) {
    super();
    response.on('close', () => {
      if (!response.writableFinished) this.abort();
    });
  }
}

/** An answer ready to be written: its text and its headers. */
export interface Answer {
  encoded: Encoded;
  headers: Record<string, string>;
}

export type Negotiation = ReturnType<typeof createNegotiation>;

export function createNegotiation(side: RestSide, codec: Codec) {
  const formatOf = (body: unknown, accept: string | undefined): ResponseFormat =>
    codec.named(body) ?? acceptedFormat(accept) ?? side.format;

  return {
    formatOf,

    /** The body as an object; what cannot be read as one counts as empty where the side says so. */
    bodyOf(operation: Operation, body: unknown): Json {
      if (body === undefined || body === null || isObject(body)) return body ?? {};
      if (operation.name === 'search' && side.lenientSearch) return {};
      throw restErrors.BODY({ reason: 'it is another kind of value' });
    },

    answer(value: Json | CallAnswer, format: ResponseFormat, form: CompactForm, correlation: Correlation): Answer {
      const passed = isPassed(value);
      const encoded = codec.encode(passed ? { json: value.text } : { value }, format, form);
      if (passed && value.told) note(value.told, format, encoded.accounting);
      const headers = headersOf(encoded, correlation);
      const told = passed ? undefined : value.index_generation;
      const generation = typeof told === 'string' ? told : side.indexGeneration?.();
      if (generation !== undefined) headers['x-svc-index-generation'] = generation;
      if (passed) return { encoded, headers };
      const { search_id, ranker_version } = value;
      if (typeof search_id === 'string') headers['x-svc-search-id'] = search_id;
      if (typeof ranker_version === 'string') headers['x-svc-ranker-version'] = ranker_version;
      return { encoded, headers };
    },

    /** The envelope of a failure; that of a batch says so at its top. */
    refusal(error: unknown, operation: Operation | undefined, body: unknown, requestId: string): Refusal {
      const refusal = side.refusal(error, requestId);
      const batched = operation?.isBatch(isObject(body) ? body : {});
      return batched ? { ...refusal, body: { success: false, ...refusal.body } } : refusal;
    },
  };
}

/** The answer of one call is text already. */
export const isPassed = (answer: Json | CallAnswer): answer is CallAnswer =>
  typeof answer.text === 'string' && typeof answer.failed === 'boolean';

export const retryAfter = ({ retry_after_secs }: Refusal): string | undefined =>
  retry_after_secs === undefined ? undefined : String(Math.max(1, Math.ceil(retry_after_secs)));

/** Writes an answer straight to Node's response. */
export function sendAnswer(response: ServerResponse, status: number, { encoded, headers }: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, headers);
  // As many bytes as characters: all ASCII, which Node copies faster than it encodes.
  response.end(encoded.text, encoded.accounting.returned_bytes === encoded.text.length ? 'latin1' : 'utf8');
}

function headersOf(encoded: Encoded, { requestId, traceId, traceparent }: Correlation): Record<string, string> {
  const { accounting } = encoded;
  const bytes = String(accounting.returned_bytes);
  // One literal: this is made for every call.
  return {
    'Content-Type': encoded.contentType,
    'Content-Length': bytes,
    Vary: 'Accept',
    'x-request-id': requestId,
    'x-svc-request-id': requestId,
    'x-svc-trace-id': traceId,
    traceparent,
    'x-svc-response-format': encoded.format,
    'x-svc-token-estimator': accounting.estimator,
    'x-svc-original-bytes': String(accounting.original_bytes),
    'x-svc-returned-bytes': bytes,
    'x-svc-original-tokens': String(accounting.original_tokens),
    'x-svc-returned-tokens': String(accounting.returned_tokens),
    'x-svc-saved-tokens': String(accounting.saved_tokens),
    'x-svc-savings-pct': accounting.savings_pct,
  };
}
