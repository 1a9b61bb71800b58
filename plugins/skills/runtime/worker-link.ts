/** The worker's end of the connection, in a thread or in a process of its own; skill code cannot reach it. */
import { Socket } from 'node:net';
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { ownCells } from './worker-cells.ts';
import { createLineReader, encodeLines } from './worker-lines.ts';
import { BEGUN, FATAL, GATE, type Item, type Link, linkFd, type ThreadData } from './worker-protocol.ts';

export interface WorkerLink extends Link {
  /** What this realm may hold in buffers, in MiB. */
  readonly bufferMb: number;
  /** Tells the server that a call begins; false when the server has given this worker up and it must not. */
  begin(sequence: number): boolean;
  /** Says that its loop turns. */
  turn(): void;
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
    // The server sees it by itself.
    turn: () => undefined,
  };
}

function processLink(): WorkerLink {
  const bufferMb = Number(process.argv[2]);
  if (!(bufferMb > 0)) throw new Error('a skill worker is started by the server, not by hand');
  const socket = new Socket({ fd: linkFd });
  const post = (batch: Item[]): void => void socket.write(encodeLines(batch));
  // Without a server there is nothing to do.
  socket.on('error', () => undefined).once('close', () => process.exit(0));
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
    post([[FATAL, String(message), String(stack)]]);
  });
  return {
    bufferMb,
    post,
    onBatch: receive => void socket.setEncoding('utf8').on('data', createLineReader(receive)),
    begin(sequence) {
      ownCells.begin(sequence);
      return true;
    },
    turn: ownCells.turn,
  };
}
