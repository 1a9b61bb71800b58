/**
 * Channels: connections on which a gateway sends the messages of its session as lines, and is answered in lines, in any
 * order. HTTP costs more than a small call does; what a gateway sends and what comes back here is the same JSON-RPC. A
 * channel is opened by CONNECT in a session that POST opened, and what it cannot carry still goes by POST.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Disposer, RequestGuard } from '../../../kernel/index.ts';
import { channelTarget } from '../../../schemas/channel.ts';
import { createLineReader, createLineWriter } from '../../../schemas/lines.ts';
import { isGateway } from '../../../schemas/on-behalf.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Carrier } from './line-exchange.ts';

export interface ChannelParts {
  server: Server;
  check: RequestGuard;
  sessions: Pick<Sessions, 'get'>;
  endpoint: Pick<Endpoint, 'say'>;
  /** Bytes of a message. */
  longest: number;
}

/** Serves the channels of `server`; the disposer ends those that are open. */
export function serveChannels({ server, check, sessions, endpoint, longest }: ChannelParts): Disposer {
  const open = new Set<Duplex>();

  const connect = async (request: IncomingMessage, socket: Duplex): Promise<void> => {
    socket.on('error', () => undefined);
    const refusal = await check(request);
    const session = sessions.get(String(request.headers['mcp-session-id']));
    if (
      request.url !== channelTarget ||
      refusal ||
      !session ||
      session.ended ||
      !isGateway(session.clientCapabilities)
    ) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const writeLine = createLineWriter(socket);
    const carrier: Carrier = {
      session,
      request,
      write(line) {
        if (!socket.writable) return false;
        writeLine(line);
        return true;
      },
    };
    // What was said last is still on its way.
    const end = (): void => void setImmediate(() => socket.end(() => socket.destroy()));
    const receive = (lines: string[]): void => {
      for (const line of lines) endpoint.say(line, carrier);
    };
    const leave = session.scope.add('channel', end);
    open.add(socket);
    socket.on('data', createLineReader(longest, receive, end));
    socket.once('close', () => {
      open.delete(socket);
      void leave();
    });
    socket.once('end', end);
  };

  const begin = (request: IncomingMessage, socket: Duplex): void =>
    void connect(request, socket).catch(() => socket.destroy());
  server.on('connect', begin);
  return () => {
    server.off('connect', begin);
    for (const socket of open) socket.destroy();
  };
}
