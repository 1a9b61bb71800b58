/**
 * What is answered at the door. Who asked may speak JSON-RPC, the REST of an instance or of a gateway, and the door does not
 * know: one envelope that each of them reads as its own.
 */
import { randomUUID } from 'node:crypto';
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
  // Nobody has read which request it was: null says so, where the revision has it.
  const isNewer = String(request.headers['mcp-protocol-version'] ?? '') > '2025-06-18';
  const asked = request.headers['x-request-id'];
  const request_id = typeof asked === 'string' && printable.test(asked) ? asked : randomUUID();
  const said = { kind: body.kind, message };
  const about = 'dcc_type' in data && { dcc_type: data.dcc_type };
  const envelope = {
    ...{ jsonrpc: '2.0', ...(!isNewer && { id: null }), ok: false, success: false },
    ...{ ...said, code: error.code, request_id, error: { ...said, ...about, code, data } },
  };
  const text = plain ? message : JSON.stringify(envelope);
  response.writeHead(status, {
    'Content-Type': plain ? 'text/plain; charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': request_id,
    'X-Svc-Request-Id': request_id,
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(retry !== undefined && { 'Retry-After': String(retry) }),
    // Of a body that nobody reads no more is waited for.
    ...(hasBody(request) && { Connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

const printable = /^[\x21-\x7e]{1,128}$/;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
