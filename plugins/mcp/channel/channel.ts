/**
 * Channels: connections on which a gateway sends the messages of its session as lines, and is answered in lines, in any
 * order. HTTP costs more than a small call does; what a gateway sends and what comes back here is the same JSON-RPC. A
 * channel is opened by CONNECT in a session that POST opened, and what it cannot carry still goes by POST.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Disposer, RequestGuard, SvcError } from '../../../kernel/index.ts';
import { channelTarget } from '../../../schemas/channel.ts';
import { createLineReader, createLineWriter } from '../../../schemas/lines.ts';
import { isGateway } from '../../../schemas/on-behalf.ts';
import type { GuardService } from '../../guard/api.ts';
import type { Endpoint } from '../endpoint.ts';
import { mcpErrors } from '../errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Carrier } from './line-exchange.ts';

export interface ChannelParts {
  server: Server;
  check: RequestGuard;
  guard: Pick<GuardService, 'ownerOf' | 'carry' | 'refused'> | undefined;
  sessions: Pick<Sessions, 'get'>;
  endpoint: Pick<Endpoint, 'say'>;
  /** Bytes of a message. */
  longest: number;
  /** Bytes that may wait for a gateway to read them. */
  backlog: number;
}

/** Serves the channels of `server`; the disposer ends those that are open. */
export function serveChannels({ server, check, guard, sessions, endpoint, longest, backlog }: ChannelParts): Disposer {
  const open = new Set<Duplex>();

  const connect = async (request: IncomingMessage, socket: Duplex): Promise<void> => {
    socket.on('error', () => undefined);
    const refuse = (error: SvcError): void => {
      guard?.refused(request, error);
      const { http } = error.row;
      const challenge = http === 401 ? 'WWW-Authenticate: Bearer\r\n' : '';
      socket.end(
        `HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    };
    const refusal = await check(request);
    if (refusal) return refuse(refusal);
    const found = sessions.get(String(request.headers['mcp-session-id']));
    // Whose session it is not gets what he would get without one.
    const session = found && !found.ended && found.owner === guard?.ownerOf(request) ? found : undefined;
    if (request.url !== channelTarget || !session || !isGateway(session.clientCapabilities)) {
      return refuse(mcpErrors.NO_CHANNEL());
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const writeLine = createLineWriter(socket);
    const carried = guard?.carry(request, () => socket.destroy());
    const carrier: Carrier = {
      session,
      carried,
      request,
      backlog,
      waiting: () => socket.writableLength,
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
      carried?.close();
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
