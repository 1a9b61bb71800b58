/** Keeps skill code from ending the server by accident and its prints from flooding it. Not a security boundary. */
import { getHeapStatistics } from 'node:v8';
import { createLineSink } from './worker-output.ts';
import { buffersEnd } from './worker-protocol.ts';

/** How often a realm looks at itself: its buffers may grow by this much time's work beyond the limit. */
const lookEveryMs = 100;

/**
 * Says that this realm turns, and ends it when it holds more than `limitMb` in buffers, which the limit of its heap does
 * not count. Both between two turns: code that never yields is stopped by its deadline, or by the system where it has its
 * own process.
 */
export function watchSelf({ bufferMb, turn }: { bufferMb: number; turn(): void }): void {
  turn();
  setInterval(() => {
    turn();
    if (getHeapStatistics().external_memory > bufferMb * 1048576) throw new Error(buffersEnd(bufferMb));
  }, lookEveryMs).unref();
}

/** Sends what skill code prints to `print` instead of the process's own streams. */
export function captureOutput(print: (level: 'info' | 'warn', line: string) => void): void {
  capture(process.stdout, line => print('info', line));
  capture(process.stderr, line => print('warn', line));
}

function capture(stream: NodeJS.WriteStream, emit: (line: string) => void): void {
  const sink = createLineSink(emit);
  const write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    sink.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('utf8'));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') process.nextTick(callback as () => void);
    return true;
  };
  Reflect.set(stream, 'write', write);
}

/** A thread shares its process with the server: signals to it, and abort, are refused with a sentence. */
export function guardProcess(): void {
  const kill = process.kill.bind(process);
  const own = new Set([process.pid, -process.pid, process.ppid, -process.ppid, 0, -1]);
  process.kill = (pid, signal) => {
    if (own.has(Number(pid)) && signal !== 0)
      throw new Error('a skill may not signal the server: process.kill refused');
    return kill(pid, signal);
  };
  process.abort = () => {
    throw new Error('a skill may not abort: process.abort refused');
  };
}
