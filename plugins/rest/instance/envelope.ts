/** Failures of an instance's REST answers, in one flat envelope (shape:envelope, shape:instance). */
import { isSvcError, toHttpError } from '../../../kernel/index.ts';
import type { Refusal } from '../api.ts';

/** Status and body for anything thrown; what Fastify itself refuses (a body that is no JSON) keeps its status. */
export function refusalOf(error: unknown, request_id: string): Refusal {
  const { statusCode, message = '' } = error as { statusCode?: number; message?: string };
  if (!isSvcError(error) && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, body: { kind: 'bad-request', message, request_id } };
  }
  const { status, body } = toHttpError(error);
  const { candidates, retry_after_secs } = body.context;
  return {
    status,
    body: { ...body, ...(candidates !== undefined && { candidates }), request_id },
    ...((status === 429 || status === 503) && { retry_after_secs: Number(retry_after_secs) || 1 }),
  };
}
