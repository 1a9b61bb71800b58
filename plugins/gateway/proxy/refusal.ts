/** What the proxy itself answers when it cannot forward: the gateway's nested error body. */
import type { ServerResponse } from 'node:http';
import { toHttpError, toSvcError } from '../../../kernel/index.ts';

/** Answers with an error; nothing happens when the client has gone. */
export function refuse(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const error = toSvcError(thrown);
  const { status, body } = toHttpError(error);
  const { candidates = [], previous_status = null, previous_instance_id = null, retryable = null } = error.details;
  const { retry_after_secs: retry, recommended_next_action = null } = error.details;
  const { kind, message } = body;
  const about = { candidates, previous_status, previous_instance_id, retryable, recommended_next_action };
  const text = JSON.stringify({ error: { kind, message, ...about } });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, retry === undefined ? headers : { ...headers, 'Retry-After': String(retry) });
  response.end(text);
}
