/** The server thread: boots a core when the host says so and answers its calls. */
import { parentPort } from 'node:worker_threads';
import { createPort } from '../port.ts';
import { bootCore, type Core, type Sources } from './core.ts';
import { type CoreInput, channelOf, type ThreadMethods } from './wire.ts';

/** Serves the thread that this module runs in. */
export function serveThread(sources: Sources): void {
  if (!parentPort) throw new Error('the server thread is a worker');
  let core: Core | undefined;
  const boot = async (input: CoreInput): Promise<number> => {
    core = await bootCore(input, sources, { inPlace: false, ask: port.call, tell: port.notify });
    return core.graceMs;
  };
  const on =
    <K extends keyof ThreadMethods>(method: K) =>
    (params: unknown) =>
      core?.[method](params as never);
  // The host never leaves this thread behind: it terminates it, so there is no close to tell of.
  const port = createPort(
    channelOf(parentPort, () => undefined),
    {
      boot: input => boot(input as CoreInput),
      ...{ call: on('call'), undo: on('undo'), start: on('start'), close: on('close'), failed: on('failed') },
    },
  );
}
