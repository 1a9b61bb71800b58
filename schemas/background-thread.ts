/** A thread that works for this one in the background: where it ends by itself it is started again, and told of. */
import { Worker } from 'node:worker_threads';

export interface BackgroundParts<In> {
  readonly entry: URL;
  readonly name: string;
  readonly data: unknown;
  /** What it says, but for its first word, which says that it is there. */
  onMessage(message: In): void;
  /** It has ended by itself: what it had is lost. */
  onEnd(reason: string): void;
}

export type BackgroundThread<Out> = Awaited<ReturnType<typeof startBackgroundThread<Out, never>>>;

/** One that ends by itself is not started again at once. */
const restMs = 1000;

/** Rejects when it cannot be started. Does not keep the process alive, unless it is waited for. */
export async function startBackgroundThread<Out, In>(parts: BackgroundParts<In>) {
  const { entry, name, data, onMessage, onEnd } = parts;
  let worker: Worker | undefined;
  let closing = false;

  const gone = (ended: Worker, reason: string): void => {
    if (worker !== ended) return;
    worker = undefined;
    if (closing) return;
    onEnd(reason);
    again();
  };

  const again = (): void => {
    setTimeout(() => void start().catch(again), restMs).unref();
  };

  const start = async (): Promise<void> => {
    if (closing) return;
    const started = new Worker(entry, { name, workerData: data, execArgv: [] });
    let fault = '';
    started.on('error', error => {
      fault = error.message;
    });
    await new Promise<void>((resolve, reject) => {
      started.once('message', () => {
        started.on('message', onMessage);
        resolve();
      });
      started.once('exit', code => {
        const reason = fault || `exit code ${code}`;
        reject(new Error(`the thread ${name} does not start: ${reason}`));
        gone(started, reason);
      });
    });
    if (closing) return void (await started.terminate());
    started.unref();
    worker = started;
  };
  await start();

  return {
    /** False where there is none at the moment. What is in `transfer` goes over, and is empty here. */
    post(message: Out, transfer?: readonly ArrayBuffer[]): boolean {
      worker?.postMessage(message, transfer);
      return worker !== undefined;
    },
    /** Keeps the process alive until it is closed. */
    hold: (): void => void worker?.ref(),
    async close(): Promise<void> {
      closing = true;
      await worker?.terminate();
    },
  };
}
