/** Where a server runs: in its own thread (`dedicated`), or here (`ambient`). Both answer the same operations. */
import { Worker } from 'node:worker_threads';
import { createPort, isSvcError, type Plugin, threadEntry, toSvcError } from '../kernel/light.ts';
import type { CoreInput, CoreSurroundings } from './core.ts';
import { createHostQueue } from './host/queue.ts';
import { type HostSlots, openSlots } from './host/slots.ts';
import type { HostSide } from './host-side.ts';
import type { SourceQuestion } from './host-sources.ts';
import type { Operations } from './operations.ts';
import type { StopReport } from './server-api.ts';
import { serverErrors } from './server-errors.ts';
import { type Booted, channelOf, type Delivery, hostMethods, type Operate, threadMethods } from './thread-wire.ts';

/** Runs an operation of the server. */
export type Call = <K extends keyof Operations>(
  name: K,
  params: Parameters<Operations[K]>[0],
) => Promise<Awaited<ReturnType<Operations[K]>>>;

export interface Backend {
  /** Keeps the process alive until the operation is answered. */
  readonly call: Call;
  /** Keeps the process alive until `close`. */
  hold(): void;
  /** Drains and ends it. */
  close(): Promise<void>;
  readonly ended: Promise<StopReport>;
}

/** Time beyond the grace after which a thread that does not end by itself is terminated. */
const extraGraceMs = 3000;

/** Boots in place; loads everything that a server needs into this thread. */
export async function openAmbient(
  input: CoreInput,
  side: HostSide,
  composition: Pick<CoreSurroundings, 'sources' | 'settings'>,
  added: readonly Plugin[],
): Promise<Backend> {
  const { bootCore } = await import('./core.ts');
  const core = await bootCore(input, { ...composition, added, connect: () => ({ link: side, runner: side.tools }) });
  let report: (report: StopReport) => void = () => undefined;
  const ended = new Promise<StopReport>(resolve => {
    report = resolve;
  });
  return {
    call: async (name, params) => core.operations[name](params as never) as never,
    hold: () => undefined,
    close: () => core.close().finally(() => report({ crashed: false, error: undefined })),
    ended,
  };
}

/** Boots in an own thread; this one keeps the handlers and otherwise stays out of it. */
export async function openDedicated(input: CoreInput, side: HostSide): Promise<Backend> {
  const worker = new Worker(await threadEntry('server-thread', 'plugins/server-thread.ts'), {
    name: 'svc-server',
    // Flags of the host, such as loaders, are for its own code.
    execArgv: [],
  });
  let booted: Booted | undefined;
  let slots: HostSlots | undefined;
  let closing = false;
  let fault: Error | undefined;
  worker.once('error', error => {
    fault = error;
  });
  const ended = new Promise<StopReport>(resolve => {
    worker.once('exit', code => {
      const reason = fault?.message ?? `exit code ${code}`;
      resolve({ crashed: !closing, error: closing ? undefined : serverErrors.THREAD_FAILED({ reason }, fault) });
    });
  });

  const received = (): void => void (booted && Atomics.add(new Int32Array(booted.received), 0, 1));
  const port = createPort(
    channelOf(worker, closed => void ended.then(({ error }) => closed(error?.message ?? 'the server was shut down'))),
    {
      ...createHostQueue({
        handlers: side.tools,
        slots: () => slots as HostSlots,
        sliceMs: () => (booted as Booted).sliceMs,
      }),
      [hostMethods.deliver]: delivery => {
        const { key, event } = delivery as Delivery;
        received();
        const failed = (error: unknown): void =>
          port.notify(threadMethods.failure, { event: event.name, message: String(error) });
        try {
          const outcome = side.deliver(key, event);
          if (outcome instanceof Promise) outcome.catch(failed);
        } catch (error) {
          failed(error);
        }
      },
      [hostMethods.ask]: question => side.ask((question as Delivery).key, (question as Delivery).event),
      [hostMethods.source]: (question, context) => side.source(question as SourceQuestion, context.signal),
      [hostMethods.gateway]: won => side.gateway(won as boolean),
      [hostMethods.handlers]: names => side.handlers(names as string[]),
    },
  );

  let holds = 1;
  const release = (): void => {
    holds -= 1;
    if (holds === 0) worker.unref();
  };
  const hold = (): void => {
    holds += 1;
    if (holds === 1) worker.ref();
  };

  const ask = async (method: string, params: unknown, timeoutMs = 0): Promise<unknown> => {
    hold();
    try {
      return await port.call(method, params, { timeoutMs });
    } catch (error) {
      // The thread's end explains more than the port's.
      if (isSvcError(error) && error.code === 'SVC_KERNEL_PORT_CLOSED') {
        throw (await ended).error ?? serverErrors.STOPPED();
      }
      throw toSvcError(error);
    } finally {
      release();
    }
  };

  const terminate = async (): Promise<void> => {
    closing = true;
    await worker.terminate();
    await ended;
  };

  try {
    booted = (await ask(threadMethods.boot, input)) as Booted;
    slots = openSlots(booted.slots);
  } catch (error) {
    await terminate();
    throw error;
  } finally {
    release();
  }
  const { graceMs } = booted;
  return {
    call: (name, params) => ask(threadMethods.operate, { name, params } satisfies Operate) as never,
    hold,
    async close() {
      closing = true;
      await ask(threadMethods.close, null, graceMs + extraGraceMs).catch(() => undefined);
      await terminate();
    },
    ended,
  };
}
