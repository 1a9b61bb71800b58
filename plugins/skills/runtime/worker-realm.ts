/** A JavaScript realm for one skill: a worker thread, or a child process. Booted, it waits for `load`. */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Environment } from '../../../kernel/index.ts';
import { killTree, ownGroup } from '../processes/process-tree.ts';
import { skillEnvironment } from '../processes/skill-environment.ts';
import { readLines } from './worker-output.ts';
import { BEGUN, buffersEnd, GATE, type Item, type Link, type ThreadData } from './worker-protocol.ts';

export interface Realm extends Link {
  /** Sequence number of the last call that began; exact once the realm has ended. */
  begun(): number;
  /** Whether its thread computes at this moment, as far as that can be known. */
  busy(): boolean;
  /** Keeps the server's event loop alive, or lets it go. */
  hold(busy: boolean): void;
  /** Told once how it ended, as a phrase after "it": `called process.exit(7)`. */
  onEnd(listener: (how: string, stack: string) => void): void;
  onOutput(listener: (level: 'info' | 'warn', line: string) => void): void;
  readonly ended: boolean;
  /** Ends it by force. Resolves when the thread or process is gone, which native code may delay. */
  end(): Promise<void>;
}

export interface RealmOptions {
  entry: URL;
  heapMb: number;
  bufferMb: number;
  env: Environment;
}

function createEnds() {
  let told: { how: string; stack: string } | undefined;
  const listeners: ((how: string, stack: string) => void)[] = [];
  return {
    get ended(): boolean {
      return told !== undefined;
    },
    fire(how: string, stack = ''): void {
      if (told) return;
      told = { how, stack };
      for (const listener of listeners) listener(how, stack);
    },
    listen(listener: (how: string, stack: string) => void): void {
      if (told) listener(told.how, told.stack);
      else listeners.push(listener);
    },
  };
}

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

/** A child process, for untrusted or natively blocking skills: it can always be killed. */
export function createProcess({ entry, heapMb, bufferMb, env }: RealmOptions): Realm {
  const processMb = heapMb + bufferMb + programMb;
  const child = fork(fileURLToPath(entry), [String(bufferMb)], {
    ...ownGroup,
    execArgv: ['--enable-source-maps', `--max-old-space-size=${heapMb}`],
    env: skillEnvironment(env),
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ends = createEnds();
  let begun = 0;
  let ending = false;
  let outOfMemory = false;
  let tooLarge = false;
  let fatal: { fatal: string; stack: string } | undefined;
  let receive: ((batch: Item[]) => void) | undefined;

  const gone = new Promise<void>(resolve => {
    const exited = (how: string): void => {
      const finish = (): void => {
        clearTimeout(timer);
        ends.fire(how, fatal?.stack);
        resolve();
      };
      // What it sent before it ended may still be on its way; `disconnect` comes after all of it.
      const timer = setTimeout(finish, 500);
      if (child.connected) child.once('disconnect', finish);
      else setImmediate(finish);
    };
    child.once('error', error => exited(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => exited(describe(code, signal)));
  });

  const describe = (code: number | null, signal: NodeJS.Signals | null): string => {
    if (ending) return 'was ended';
    if (outOfMemory) return `exhausted its heap of ${heapMb} MB`;
    if (fatal) return fatalEnd(fatal.fatal, bufferMb);
    if (tooLarge) return `used more than ${processMb} MB`;
    return signal ? `was ended by ${signal}` : `called process.exit(${code})`;
  };

  child.on('message', (message: unknown) => {
    if (Array.isArray(message)) return receive?.(message as Item[]);
    if (typeof message !== 'object' || message === null) return;
    if ('begun' in message) begun = Number(message.begun);
    else if ('fatal' in message) fatal = message as { fatal: string; stack: string };
  });
  child.stderr?.on('data', (text: string | Buffer) => {
    if (!outOfMemory) outOfMemory = String(text).includes('JavaScript heap out of memory');
  });
  const unwatch = watchMemory(child.pid, processMb, () => {
    tooLarge = true;
    child.kill('SIGKILL');
  });
  void gone.then(unwatch);
  const parts = [child, child.channel, child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[];
  for (const part of parts) part?.unref();

  return {
    post(batch) {
      if (child.connected) child.send(batch, () => undefined);
    },
    onBatch(listener) {
      receive = listener;
    },
    begun: () => begun,
    busy: () => false,
    hold(busy) {
      if (ends.ended) return;
      for (const part of [child, child.channel] as unknown as { ref(): void; unref(): void }[]) {
        if (busy) part?.ref();
        else part?.unref();
      }
    },
    onEnd: ends.listen,
    onOutput(listener) {
      if (child.stdout) readLines(child.stdout, line => listener('info', line));
      if (child.stderr) readLines(child.stderr, line => listener('warn', line));
    },
    get ended() {
      return ends.ended;
    },
    async end() {
      if (!ends.ended) {
        ending = true;
        await killTree(child, 0);
      }
      await gone;
    },
  };
}

/** What skill code threw outside of a call; its buffers' limit speaks for itself. */
const fatalEnd = (message: string, bufferMb: number): string =>
  message === buffersEnd(bufferMb) ? message : `threw outside of a call: ${message}`;

/** What the program itself takes beside the heap and the buffers of the skill. */
const programMb = 128;
const watchEveryMs = 100;

/** Watches what a process has in memory, where the system tells (Linux): code that never yields is stopped all the same. */
function watchMemory(pid: number | undefined, limitMb: number, tooMuch: () => void): () => void {
  if (process.platform !== 'linux' || pid === undefined) return () => undefined;
  const look = async (): Promise<void> => {
    const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
    if (Number(text.split(' ')[1] ?? 0) * pageSize > limitMb * 1048576) tooMuch();
  };
  const timer = setInterval(() => void look(), watchEveryMs).unref();
  return () => clearInterval(timer);
}

/** Of Linux on the machines that Node runs on, with few exceptions: those would be stopped later. */
const pageSize = 4096;
