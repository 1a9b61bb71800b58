/** What any request is held to before anybody knows who sent it: how long it may take to arrive, and how large it may be. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { countBody, unfinished } from '../../schemas/body.ts';
import type { Settings } from './config.ts';

/** Of `request_receive_timeout_ms`, how often requests that take too long are looked for. */
const lookShare = 8;

/** Node has these as members, its types as options only. */
interface Bounded {
  connectionsCheckingInterval?: number;
  maxHeaderSize?: number;
  requireHostHeader?: boolean;
}

export interface Bounds {
  /** Told of a request that was cut off before it was whole: why, and whose it was. */
  onCut(reason: string, socket: Socket, request?: IncomingMessage): void;
}

export function boundRequests(app: FastifyInstance, config: Settings, { onCut }: Bounds): void {
  const { request_receive_timeout_ms: timeoutMs, max_header_bytes } = config;
  const server: Server & Bounded = app.server as Server;
  // Node's own, which cost nothing per request.
  server.requestTimeout = timeoutMs;
  server.headersTimeout = timeoutMs;
  server.connectionsCheckingInterval = Math.max(50, Math.ceil(timeoutMs / lookShare));
  server.maxHeaderSize = max_header_bytes;
  // The guard refuses it, and says so in the log.
  server.requireHostHeader = false;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ECONNRESET') onCut(error.code ?? error.message, socket as Socket);
  });

  // Two servers of one process share its memory.
  unfinished.maxBytes = config.max_unfinished_body_bytes;
  unfinished.onCut = request => onCut('max_unfinished_body_bytes', request.socket, request);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    countBody(request.raw);
    done(null, payload);
  });
  // Text that happens to be JSON is what a page of any origin may send without asking.
  app.removeContentTypeParser('text/plain');
}
