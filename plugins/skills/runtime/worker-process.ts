/** Skill code in a child process: whatever it does to its memory or its thread, it can be ended and the server goes on. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { atMost } from '../../../schemas/at-most.ts';
import { nodeEnvironment } from '../processes/node-program.ts';
import { killTree, ownGroup } from '../processes/process-tree.ts';
import { skillEnvironment } from '../processes/skill-environment.ts';
import { createCells } from './worker-cells.ts';
import { createLineReader, encodeLines } from './worker-lines.ts';
import { readLines } from './worker-output.ts';
import { FATAL, type Item } from './worker-protocol.ts';
import { createEnds, fatalEnd, type Realm, type RealmOptions } from './worker-realm.ts';

/** Without a turn of its loop for so long a process counts as busy. */
const busyMs = 250;
/** What it sent before it ended may still be on its way. */
const restMs = 500;

export function createProcess({ entry, heapMb, bufferMb, env }: RealmOptions): Realm {
  const processMb = heapMb + bufferMb + programMb;
  const cells = createCells();
  const args = ['--enable-source-maps', `--max-old-space-size=${heapMb}`, fileURLToPath(entry), String(bufferMb)];
  const child = spawn(process.execPath, args, {
    ...ownGroup,
    env: { ...skillEnvironment(env), ...nodeEnvironment },
    stdio: ['ignore', 'pipe', 'pipe', 'overlapped', cells.fd],
  });
  const [, stdout, stderr, link] = child.stdio as unknown as [null, Socket, Socket, Socket];
  const ends = createEnds();
  let ending = false;
  let outOfMemory = false;
  /** Why it was killed. */
  let because: string | undefined;
  let fatal: { message: string; stack: string } | undefined;
  let receive: ((batch: Item[]) => void) | undefined;
  let held = false;
  let watched = false;

  const finish = async (how: string): Promise<void> => {
    if (!link.destroyed) await atMost(once(link, 'close'), restMs);
    cells.close();
    link.destroy();
    held = false;
    ends.fire(describe() ?? how, fatal?.stack);
  };
  const gone = new Promise<void>(resolve => {
    child.once('error', error => resolve(finish(`could not be started: ${error.message}`)));
    child.once('exit', (code, signal) =>
      resolve(finish(signal ? `was ended by ${signal}` : `called process.exit(${code})`)),
    );
  });

  const describe = (): string | undefined => {
    if (ending) return 'was ended';
    if (outOfMemory) return `exhausted its heap of ${heapMb} MB`;
    return because ?? (fatal && fatalEnd(fatal.message, bufferMb));
  };
  const kill = (why: string): void => {
    because = why;
    child.kill('SIGKILL');
  };

  const read = createLineReader(batch => {
    const last = batch.at(-1);
    if (Array.isArray(last) && last[0] === FATAL) {
      fatal = { message: String(last[1]), stack: String(last[2]) };
      batch.pop();
    }
    receive?.(batch);
  });
  link.setEncoding('utf8').on('data', (text: string) => {
    try {
      read(text);
    } catch {
      kill('wrote to the descriptor of the server');
    }
  });
  link.on('error', () => undefined);
  stderr.on('data', (text: string | Buffer) => {
    if (!outOfMemory) outOfMemory = String(text).includes('JavaScript heap out of memory');
  });
  for (const part of [child, link, stdout, stderr]) part.unref();

  /** Looks at its memory while calls run, where the system tells (Linux): code that never yields is stopped all the same. */
  const watch = (): void => {
    if (watched || process.platform !== 'linux') return;
    watched = true;
    const timer = setInterval(() => {
      if (held) return void look();
      watched = false;
      clearInterval(timer);
    }, watchEveryMs).unref();
  };
  const look = async (): Promise<void> => {
    const text = await readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => '');
    if (Number(text.split(' ')[1] ?? 0) * pageSize > processMb * 1048576) kill(`used more than ${processMb} MB`);
  };

  return {
    post(batch) {
      if (link.writable) link.write(encodeLines(batch));
    },
    onBatch(listener) {
      receive = listener;
    },
    begun: cells.begun,
    busy: () => Date.now() - cells.turned() > busyMs,
    hold(busy) {
      held = busy && !ends.ended;
      if (ends.ended) return;
      if (!busy) return void link.unref();
      link.ref();
      watch();
    },
    onEnd: ends.listen,
    onOutput(listener) {
      readLines(stdout, line => listener('info', line));
      let dying = false;
      readLines(stderr, line => {
        // What V8 says when memory is out is of use to its makers alone: how it ended says it.
        dying ||= line.includes('<--- Last few GCs --->');
        if (!dying) listener('warn', line);
      });
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

/** What the program itself takes beside the heap and the buffers of the skill. */
const programMb = 128;
const watchEveryMs = 100;
/** Of Linux on the machines that Node runs on, with few exceptions: those would be stopped later. */
const pageSize = 4096;
