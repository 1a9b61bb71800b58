/** The worker's end of the connection, in a thread or in a process of its own; skill code cannot reach it. */
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BEGUN, GATE, type Item, type Link, type ThreadData } from './worker-protocol.ts';

export interface WorkerLink extends Link {
  /** What this realm may hold in buffers, in MiB. */
  readonly bufferMb: number;
  /** Tells the server that a call begins; false when the server has given this worker up and it must not. */
  begin(sequence: number): boolean;
}

export function openLink(): WorkerLink {
  const data = workerData as Partial<ThreadData> | null;
  return data?.port && data.cells ? threadLink(data as ThreadData) : processLink();
}

function threadLink(data: ThreadData): WorkerLink {
  const port: MessagePort = data.port;
  const cells = new Int32Array(data.cells);
  Reflect.deleteProperty(data, 'port');
  Reflect.deleteProperty(data, 'cells');
  return {
    bufferMb: data.bufferMb,
    post: batch => port.postMessage(batch),
    onBatch(receive) {
      // Everything that has arrived is taken at once: a cancellation overtakes the calls that wait before it.
      port.on('message', (first: Item[]) => {
        let batch = first;
        for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
          batch = batch.concat(next.message as Item[]);
        }
        receive(batch);
      });
    },
    begin(sequence) {
      Atomics.store(cells, BEGUN, sequence);
      return Atomics.load(cells, GATE) === 0;
    },
  };
}

function processLink(): WorkerLink {
  const send = process.send?.bind(process);
  if (!send) throw new Error('a skill worker is started by the server, not by hand');
  const post = (message: unknown): void => void send(message, undefined, undefined, () => undefined);
  Reflect.set(process, 'send', undefined);
  process.once('disconnect', () => process.exit(0));
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
    post({ fatal: String(message), stack: String(stack) });
  });
  return {
    bufferMb: Number(process.argv[2]),
    post,
    onBatch: receive => void process.on('message', batch => receive(batch as Item[])),
    begin(sequence) {
      post({ begun: sequence });
      return true;
    },
  };
}
