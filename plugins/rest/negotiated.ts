/** Answers of the negotiated routes, written straight to Node's response with everything that tells of them (CONTRACT 3.1, 3.2). */
import type { ServerResponse } from 'node:http';
import type { Encoded } from '../api.ts';
import type { Abortable } from '../backends/api.ts';
import type { Correlation } from './correlation.ts';

/** Tells when the client goes away before it has its answer, at a tenth of the cost of a signal. */
export class Gone implements Abortable {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  constructor(response: ServerResponse) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.aborted = true;
      for (const listener of this.#listeners) listener();
    });
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

export interface AnswerParts extends Correlation {
  status: number;
  encoded: Encoded;
  indexGeneration: string;
  /** Of a search. */
  searchId?: string | undefined;
  rankerVersion?: string | undefined;
  retryAfterSecs?: number | undefined;
}

export function sendAnswer(response: ServerResponse, parts: AnswerParts): void {
  if (response.destroyed || response.writableEnded) return;
  const { encoded } = parts;
  response.writeHead(parts.status, headersOf(parts));
  // As many bytes as characters: all ASCII, which Node copies faster than it encodes.
  response.end(encoded.text, encoded.accounting.returned_bytes === encoded.text.length ? 'latin1' : 'utf8');
}

/** Names and values in turns. */
export function headersOf(parts: AnswerParts): string[] {
  const { encoded, requestId, traceId, traceparent, indexGeneration, searchId, rankerVersion, retryAfterSecs } = parts;
  const { accounting } = encoded;
  const bytes = String(accounting.returned_bytes);
  // One literal: this is made for every call.
  const headers = [
    'Content-Type',
    encoded.contentType,
    'Content-Length',
    bytes,
    'Vary',
    'Accept',
    'x-request-id',
    requestId,
    'x-svc-request-id',
    requestId,
    'x-svc-trace-id',
    traceId,
    'traceparent',
    traceparent,
    'x-svc-index-generation',
    indexGeneration,
    'x-svc-response-format',
    encoded.format,
    'x-svc-token-estimator',
    accounting.estimator,
    'x-svc-original-bytes',
    String(accounting.original_bytes),
    'x-svc-returned-bytes',
    bytes,
    'x-svc-original-tokens',
    String(accounting.original_tokens),
    'x-svc-returned-tokens',
    String(accounting.returned_tokens),
    'x-svc-saved-tokens',
    String(accounting.saved_tokens),
    'x-svc-savings-pct',
    accounting.savings_pct,
  ];
  if (searchId !== undefined) headers.push('x-svc-search-id', searchId);
  if (rankerVersion !== undefined) headers.push('x-svc-ranker-version', rankerVersion);
  if (retryAfterSecs !== undefined) headers.push('Retry-After', String(Math.max(1, Math.ceil(retryAfterSecs))));
  return headers;
}
