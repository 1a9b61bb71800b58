/**
 * What is answered at the door. Who asked may speak JSON-RPC, the REST of an instance or of a gateway, and the door does not
 * know: one envelope that each of them reads as its own.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type SvcError, toHttpError, toRpcError } from '../../kernel/index.ts';

export function answerRefusal(
  error: SvcError,
  request: IncomingMessage,
  response: ServerResponse,
  challenge: string | undefined,
): void {
  const { status, body } = toHttpError(error);
  const { code, message, data } = toRpcError(error, 'session');
  const retry = error.details.retry_after_secs;
  const plain = status === 429;
  const envelope = {
    ...{ jsonrpc: '2.0', ok: false, success: false, kind: body.kind, message },
    error: { code, kind: body.kind, message, data },
  };
  const text = plain ? message : JSON.stringify(envelope);
  response.writeHead(status, {
    'Content-Type': plain ? 'text/plain; charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(retry !== undefined && { 'Retry-After': String(retry) }),
    // Of a body that nobody reads no more is waited for.
    ...(hasBody(request) && { Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
