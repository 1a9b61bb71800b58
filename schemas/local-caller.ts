/** Who sits at this machine. Pure. */
import type { IncomingMessage } from 'node:http';
import { classOf } from './attribution.ts';

/** Whether a request comes from this machine itself: what a proxy on it passes on comes from elsewhere. */
export function isLocalCaller({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const passedOn = headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip'];
  return passedOn === undefined && classOf(socket.remoteAddress ?? '') === 'loopback';
}
