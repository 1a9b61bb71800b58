/** What every REST answer has in common: the request id, and failures in one flat envelope (CONTRACT 3.3, 5). */
import type { ServerResponse } from 'node:http';
import { type ErrorDetails, isSvcError, toHttpError } from '../../kernel/index.ts';

/** The client's id when it is a modest printable text, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined, make: () => string): string {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : make();
}

export interface FlatError {
  kind: string;
  message: string;
  code?: string;
  candidates?: unknown;
  context?: ErrorDetails;
  request_id: string;
}

/** Status and body for anything thrown; what Fastify itself refuses (a body that is no JSON) keeps its status. */
export function failureOf(
  error: unknown,
  requestId: string,
): { status: number; body: FlatError; retry_after_secs?: number } {
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (!isSvcError(error) && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, body: { kind: 'bad-request', message: message ?? '', request_id: requestId } };
  }
  const { status, body } = toHttpError(error);
  const { candidates, retry_after_secs } = body.context;
  return {
    status,
    body: { ...body, ...(candidates !== undefined && { candidates }), request_id: requestId },
    ...((status === 429 || status === 503) && {
      retry_after_secs: Math.max(1, Math.ceil(Number(retry_after_secs) || 1)),
    }),
  };
}

/** Aborted when the client goes away before it has its answer. */
export function goneSignal({ raw }: { raw: ServerResponse }): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
