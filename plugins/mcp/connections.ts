/** Connections of a server that stops: what asks nothing is closed at once, what is half sent or not read at the end. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Scope } from '../../kernel/index.ts';

/** How long connections may outlive the grace before they are cut, so that a half-sent request cannot hold `close()`. */
const lingerMs = 1000;
const sweepEveryMs = 50;

/** Follows the connections of `server`; the function that is returned begins to close them. */
export function createConnections(server: Server, scope: Scope, graceMs: number): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Node counts a connection that never asked anything as busy, and one that answered last may turn idle only now.
  const sweep = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    server.closeIdleConnections();
  };
  return () => {
    const sweeping = setInterval(sweep, sweepEveryMs).unref();
    // The grace is for the calls of every route.
    const cut = setTimeout(() => server.closeAllConnections(), graceMs + lingerMs).unref();
    scope.add('connections', () => {
      clearInterval(sweeping);
      clearTimeout(cut);
    });
  };
}
