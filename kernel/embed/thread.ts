/** The server thread: boots a core when the host says so, and from then on answers its calls. */
import { parentPort } from 'node:worker_threads';
import { channelOf } from '../../schemas/message-channel.ts';
import { createPort, type PortHandler } from '../port.ts';
import { bootCore, type Sources } from './core.ts';
import type { CoreInput } from './wire.ts';

/** Serves the thread that this module runs in. */
export function serveThread(sources: Sources): void {
  if (!parentPort) throw new Error('the server thread is a worker');
  const handlers: Record<string, PortHandler> = {
    async boot(input) {
      const link = { inPlace: false, ask: port.call, tell: port.notify };
      const { graceMs, ...methods } = await bootCore(input as CoreInput, sources, link);
      Object.assign(handlers, methods);
      return graceMs;
    },
  };
  // The host never leaves this thread behind: it terminates it, so there is no close to tell of.
  const port = createPort(
    channelOf(parentPort, () => undefined),
    handlers,
  );
}
