/** Skill code in a thread of the server: the quickest to start. What V8 cannot allocate there ends the whole process. */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { skillEnvironment } from '../processes/skill-environment.ts';
import { readLines } from './worker-output.ts';
import { BEGUN, GATE, type Item, type ThreadData } from './worker-protocol.ts';
import { createEnds, fatalEnd, type Realm, type RealmOptions } from './worker-realm.ts';

export function createThread({ entry, heapMb, bufferMb, env }: RealmOptions): Realm {
  const { port1: port, port2 } = new MessageChannel();
  const shared = new SharedArrayBuffer(8);
  const cells = new Int32Array(shared);
  const data: ThreadData = { port: port2, cells: shared, bufferMb };
  const worker = new Worker(entry, {
    workerData: data,
    transferList: [port2],
    stdout: true,
    stderr: true,
    // Spelled out, so that nothing of the server's own command line (loaders, inspectors) reaches skill code.
    execArgv: ['--enable-source-maps'],
    argv: [],
    env: skillEnvironment(env),
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: Math.min(16, Math.ceil(heapMb / 4)) },
    name: 'svc skill',
  });
  const ends = createEnds();
  let receive: ((batch: Item[]) => void) | undefined;
  let failure: { how: string; stack: string } | undefined;
  const gone = new Promise<void>(resolve => worker.once('exit', () => resolve()));

  const finish = (how: string, stack?: string): void => {
    if (ends.ended) return;
    // From here on no call begins, so `begun` says exactly which ones did.
    Atomics.store(cells, GATE, 1);
    for (let left = receiveMessageOnPort(port); left; left = receiveMessageOnPort(port))
      receive?.(left.message as Item[]);
    ends.fire(how, stack);
    port.close();
  };

  worker.on('error', (error: Error & { code?: string }) => {
    failure = {
      how:
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `exhausted its heap of ${heapMb} MB`
          : fatalEnd(error?.message ?? String(error), bufferMb),
      stack: String(error?.stack ?? ''),
    };
  });
  worker.on('exit', code => finish(failure?.how ?? `called process.exit(${code})`, failure?.stack));
  worker.unref();

  return {
    post: batch => port.postMessage(batch),
    onBatch(listener) {
      receive = listener;
      port.on('message', listener);
      port.unref();
    },
    begun: () => Atomics.load(cells, BEGUN),
    busy() {
      // Its idle time stands still while it computes.
      const { eventLoopUtilization } = worker.performance;
      return eventLoopUtilization(eventLoopUtilization()).utilization > 0.5;
    },
    hold(busy) {
      if (ends.ended) return;
      // The port alone keeps the loop alive: two native calls less on the way of every lone call.
      if (busy) port.ref();
      else port.unref();
    },
    onEnd: ends.listen,
    onOutput(listener) {
      readLines(worker.stdout, line => listener('info', line));
      readLines(worker.stderr, line => listener('warn', line));
    },
    get ended() {
      return ends.ended;
    },
    async end() {
      finish('was ended');
      void worker.terminate();
      await gone;
    },
  };
}
