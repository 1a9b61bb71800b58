/** Every open event-stream connection of the server: one heartbeat for all, and their end at shutdown. */
import type { Scope } from '../../../kernel/index.ts';
import type { Connection } from '../exchange.ts';
import { forEachClient } from './fanout.ts';
import { SseClient } from './sse-client.ts';

/** How long an ended stream may take to reach a client that reads slowly. */
const lingerMs = 500;

export type SseClients = ReturnType<typeof createSseClients>;

/** `heartbeatSecs` 0 sends no heartbeat. */
export function createSseClients(scope: Scope, heartbeatSecs: number, maxBytes: number) {
  const clients = new Set<SseClient>();

  if (heartbeatSecs > 0) {
    const timer = setInterval(() => void forEachClient(clients, client => client.beat()), heartbeatSecs * 1000).unref();
    scope.add('sse heartbeat', () => clearInterval(timer));
  }

  return {
    get size(): number {
      return clients.size;
    },
    open({ response, extra }: Connection) {
      const client = new SseClient(response, maxBytes, extra);
      clients.add(client);
      client.onClose(() => clients.delete(client));
      return client;
    },
    /** Ends every stream, and breaks those that do not drain. */
    end(): void {
      const ending = [...clients];
      for (const client of ending) client.end();
      if (ending.length === 0) return;
      setTimeout(() => {
        for (const client of ending) if (clients.has(client)) client.destroy();
      }, lingerMs).unref();
    },
  };
}
