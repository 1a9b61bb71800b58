/** Where a server runs: in its own thread (`dedicated`), or here (`ambient`). Both answer the same calls. */
import { Worker, workerData } from 'node:worker_threads';
import { channelOf } from '../../schemas/message-channel.ts';
import { messageOf } from '../../schemas/thrown.ts';
import { isSvcError, toSvcError } from '../errors.ts';
import type { Plugin } from '../plugin.ts';
import { createPort, type PortHandler } from '../port.ts';
import type { StopReport } from './api.ts';
import type { Sources } from './core.ts';
import { serverErrors } from './errors.ts';
import type { HostLink } from './host.ts';
import type { CoreInput, ThreadMethods } from './wire.ts';

export interface Place {
  /** Runs a method of the server; keeps the process alive until it is answered. */
  ask<K extends keyof ThreadMethods>(
    method: K,
    ...params: Parameters<ThreadMethods[K]>
  ): Promise<Awaited<ReturnType<ThreadMethods[K]>>>;
  /** Keeps the process alive until `close`. */
  hold(): void;
  /** Drains and ends it. */
  close(): Promise<void>;
  readonly ended: Promise<StopReport>;
}

/** What the host answers, by question. */
export type Answers = Record<string, PortHandler>;

/** Time beyond the grace after which a thread that does not end by itself is terminated. */
const extraGraceMs = 3000;

/** Boots in place; loads everything that a server needs into this thread. */
export async function openAmbient(
  input: CoreInput,
  answers: Answers,
  sources: Sources,
  added: readonly Plugin[],
): Promise<Place> {
  const { bootCore } = await import('./core.ts');
  const never = new AbortController().signal;
  const ask: HostLink['ask'] = (question, payload, { signal = never, onEvent = () => undefined } = {}) => {
    const handler = answers[question];
    if (!handler) throw serverErrors.NO_HOST({ question });
    return handler(payload, { signal, notify: onEvent });
  };
  const core = await bootCore(input, sources, { inPlace: true, ask, tell: ask }, added);
  let report: (report: StopReport) => void = () => undefined;
  const ended = new Promise<StopReport>(resolve => {
    report = resolve;
  });
  return {
    ask: async (method, ...params) => core[method](...(params as [never])) as never,
    hold: () => undefined,
    close: () => core.close().finally(() => report({ crashed: false, error: undefined })),
    ended,
  };
}

/** Boots in an own thread, whose code is at `entry`; this one keeps the answers and otherwise stays out of it. */
export async function openDedicated(input: CoreInput, answers: Answers, entry: URL): Promise<Place> {
  // Flags of the host, such as loaders, are for its own code.
  const worker = new Worker(entry, { name: 'svc-server', workerData: { [threadMark]: true }, execArgv: [] });
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
  const port = createPort(
    channelOf(worker, closed => void ended.then(({ error }) => closed(error?.message ?? 'the server was shut down'))),
    answers,
    (question, error) => port.notify('failed', { question, message: messageOf(error) }),
  );

  let holds = 0;
  const hold = (more = 1): void => {
    holds += more;
    if (holds > 0) worker.ref();
    else worker.unref();
  };

  const ask = async (method: string, params?: unknown, timeoutMs = 0): Promise<unknown> => {
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
      hold(-1);
    }
  };

  const terminate = async (): Promise<void> => {
    closing = true;
    await worker.terminate();
    await ended;
  };

  const graceMs = (await ask('boot', input).catch(error => terminate().then(() => Promise.reject(error)))) as number;
  return {
    ask: (method, ...params) => ask(method, params[0]) as never,
    hold,
    async close() {
      closing = true;
      await ask('close', undefined, graceMs + extraGraceMs).catch(() => undefined);
      await terminate();
    },
    ended,
  };
}

const threadMark = 'svc:server-thread';

/** Whether this is a server thread that nothing serves yet: the first module that asks is its entry. */
export function claimThread(): boolean {
  const data = workerData as Record<string, unknown> | null;
  if (data?.[threadMark] !== true) return false;
  data[threadMark] = false;
  return true;
}
