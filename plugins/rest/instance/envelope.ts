/** Failures of REST answers, in one flat envelope (CONTRACT 3.3, 5). */
import { type ErrorDetails, isSvcError, toHttpError } from '../../kernel/index.ts';

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
