/** A second listener for an application: what is asked there is served, drained and cut as on the first. */
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { definePlugin, type Plugin } from '../kernel/index.ts';
import { cutAfterMs } from './core.ts';
import { joined, listenError } from './listen.ts';

export interface SecondListener {
  /** The last of the application's plugins: when the others have drained, it waits for what is left here. */
  plugin: Plugin;
  /** Rejects with SVC_SERVER_* naming the address. */
  open(app: FastifyInstance, host: string, port: number): Promise<void>;
  /** Takes nothing new; what is under way goes on until the application has closed. */
  stop(): void;
}

const sweepEveryMs = 20;

export function createSecondListener(graceMs: number): SecondListener {
  let server: Server | undefined;
  let ended: Promise<void> | undefined;
  let cut: NodeJS.Timeout | undefined;

  const stop = (): void => {
    if (!server || ended) return;
    const stopping = server;
    ended = new Promise(resolve => stopping.close(() => resolve()));
    cut = setTimeout(() => stopping.closeAllConnections(), cutAfterMs(graceMs));
  };

  const drain = async (): Promise<void> => {
    stop();
    if (!server || !ended) return;
    // Who answered last may turn idle only now.
    const sweeping = setInterval(() => server?.closeIdleConnections(), sweepEveryMs);
    await ended;
    clearInterval(sweeping);
    clearTimeout(cut);
  };

  return {
    plugin: definePlugin({ name: 'second-listener' }, app => void app.addHook('preClose', drain)),
    async open(app, host, port) {
      const made = createServer((request, response) => void app.server.emit('request', request, response));
      await new Promise<void>((resolve, reject) => {
        made.once('error', error => reject(listenError(error, host, port)));
        made.listen({ host, port, exclusive: true }, resolve);
      });
      server = made;
      app.kernel.log.info(`listening on http://${joined(host, port)} too`);
    },
    stop,
  };
}
