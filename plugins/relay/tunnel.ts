/** One tunnel at its relay: a pool of HTTP connections to the target, each a channel of the tunnel. */
import type { Socket } from 'node:net';
import { Pool } from 'undici';
import type { WebSocket } from 'ws';
import { messageOf } from '../../kernel/index.ts';
import { type TunnelRefusal, tunnelRefusals } from '../../schemas/tunnel.ts';
import type { TunnelAbout } from './api.ts';
import { type Channel, createMux, mostChannels } from './mux.ts';

export interface TunnelHandler {
  onConnect(abort: () => void): void;
  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(): void;
  onError(error: Error): void;
}

export type TunnelRequest = Pick<Parameters<Pool['dispatch']>[0], 'method' | 'path' | 'headers' | 'body'>;

export interface Tunnel {
  readonly about: TunnelAbout;
  /** Whose token it is. */
  readonly subject: string;
  /** Sends a request to the target; false when too many are under way. */
  dispatch(request: TunnelRequest, handler: TunnelHandler): boolean;
  /** A request that was dispatched is over. */
  leave(): void;
  end(refusal: TunnelRefusal, reason: string): void;
}

export interface TunnelParts {
  socket: WebSocket;
  about: TunnelAbout;
  subject: string;
  /** The other end says something else of itself than before; false when it may not. */
  said(text: string): boolean;
  /** Called once. */
  ended(reason: string): void;
}

// Answers may take as long as a tool does. What the target keeps open is kept, a little shorter.
const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connections: mostChannels };

/** Takes over a connection whose registration was accepted. */
export function openTunnel({ socket, about, subject, said, ended }: TunnelParts): Tunnel {
  const mux = createMux({ socket, said });
  let why = '';
  let under = 0;
  socket.on('error', error => {
    why ||= messageOf(error);
  });

  // The target knows itself by no other name than this machine's own: that is what it listens on.
  const pool = new Pool('http://localhost', {
    ...options,
    connect(_options, callback) {
      const channel = mux.open();
      const refused = (): void => callback(new Error('its server does not answer'), null);
      channel.once('close', refused);
      channel.once('accepted', () => {
        channel.removeListener('close', refused);
        callback(null, asSocket(channel));
      });
    },
  });
  socket.once('close', (code, reason) => {
    why ||= reason.toString() || `its connection closed (${code})`;
    void pool.destroy(new Error(why));
    ended(why);
  });

  return {
    about,
    subject,
    dispatch(request, handler) {
      if (under >= mostChannels) return false;
      under += 1;
      pool.dispatch(request, handler);
      return true;
    },
    leave() {
      under -= 1;
    },
    end(refusal, reason) {
      why ||= reason;
      socket.close(tunnelRefusals[refusal], reason);
      // Whoever does not close in turn is not waited for.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}

/** What an HTTP client asks of a socket, and a channel has no use for. */
function asSocket(channel: Channel): Socket {
  const same = () => channel;
  return Object.assign(channel, { setNoDelay: same, setKeepAlive: same, ref: same, unref: same }) as unknown as Socket;
}
