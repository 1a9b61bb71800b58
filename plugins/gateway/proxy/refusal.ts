/**
 * What the proxy itself answers where it cannot forward, or the instance does not answer: an error of JSON-RPC, for who
 * asks is a client of MCP. A call that was handed on has failed as a call, and every client takes such an answer for one;
 * what was not handed on has the HTTP status that says why, and its session may have to begin anew.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  codecOf,
  idOf,
  plain,
  type RpcId,
  requestProblem,
  toHttpError,
  toRpcError,
  toSvcError,
} from '../../../kernel/index.ts';
import { objectOf, parsed } from '../../../schemas/loose.ts';

/** The ids of the requests in a body: none of a notification, an answer, or what cannot be read. */
function idsIn(body: Buffer | undefined): RpcId[] {
  const message = body && parsed(body.toString('utf8'));
  const messages = Array.isArray(message) ? message : [message];
  return messages.filter(each => requestProblem(each) === undefined && idOf(each) !== null).map(idOf);
}

/** The error as messages of JSON-RPC, one for each request of the body. */
function messagesOf(thrown: unknown, request: IncomingMessage, ids: readonly RpcId[]): object[] {
  const error = toSvcError(thrown);
  const revision = String(request.headers['mcp-protocol-version'] ?? '2025-03-26');
  const { code, message, data } = toRpcError(error, codecOf(revision));
  const about = { kind: toHttpError(error).body.kind, ...plain(data), code: data.code };
  // JSON-RPC has null where no id could be read; newer revisions leave it out.
  const named = (id: RpcId): boolean => id !== null || revision <= '2025-06-18';
  return ids.map(id => ({ jsonrpc: '2.0', ...(named(id) && { id }), error: { code, message, data: about } }));
}

/** Answers with an error; nothing happens when the client has gone. `handedOn`: the instance may have got the request. */
export function refuse(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  thrown: unknown,
  body?: Buffer,
  handedOn = false,
): void {
  if (response.headersSent || response.destroyed) return;
  const ids = idsIn(body);
  const messages = messagesOf(thrown, request, ids.length > 0 ? ids : [null]);
  const text = JSON.stringify(ids.length > 1 ? messages : messages[0]);
  const status = handedOn && ids.length > 0 ? 200 : toHttpError(thrown).status;
  const { retry_after_secs: retry } = objectOf(toSvcError(thrown).details);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, retry === undefined ? headers : { ...headers, 'Retry-After': String(retry) });
  response.end(text);
}

/** The same as events, for an answer that is a stream already; empty where no request waits for one. */
export const refusalEvents = (request: IncomingMessage, thrown: unknown, body: Buffer | undefined): string =>
  messagesOf(thrown, request, idsIn(body))
    .map(each => `event: message\ndata: ${JSON.stringify(each)}\n\n`)
    .join('');
