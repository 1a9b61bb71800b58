/** What both ends of a tunnel's WebSocket connection hold to. */
import type { WebSocket } from 'ws';

/** The largest message; frames are much smaller. */
export const frameBytes = 8 * 1024 * 1024;

/** Asks the other end now and then whether it is there; one that says nothing until the next time is cut off. */
export function watchOver(socket: WebSocket, everySecs: number): void {
  if (everySecs === 0) return;
  let heard = true;
  const timer = setInterval(() => {
    if (!heard) {
      socket.terminate();
      return;
    }
    heard = false;
    socket.ping();
  }, everySecs * 1000).unref();
  socket.on('pong', () => {
    heard = true;
  });
  socket.on('close', () => clearInterval(timer));
}
