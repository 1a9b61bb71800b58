/** Closing HTTP servers: what is under way may end, what outlives the grace is cut. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const sweepEveryMs = 20;
/** What is called off at the end of the grace has this long to say so. */
const lingerMs = 1000;

export type Drain = ReturnType<typeof createDrain>;

export function createDrain(graceMs: number) {
  const servers = new Set<Server>();
  const sockets = new Set<Socket>();
  let cut: NodeJS.Timeout | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  // Node counts a connection that never asked anything as busy, and one that answered last may turn idle only now.
  const sweep = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    for (const server of servers) server.closeIdleConnections();
  };
  return {
    /** Follows the connections of `server`. */
    add(server: Server): void {
      servers.add(server);
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
    },
    /** Sweeps idle connections from now on, and cuts the others when the grace is over. */
    begin(): void {
      cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs + lingerMs);
      sweeping = setInterval(sweep, sweepEveryMs);
      setImmediate(sweep);
    },
    end(): void {
      clearTimeout(cut);
      clearInterval(sweeping);
    },
  };
}
