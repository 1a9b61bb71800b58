/**
 * Checks values against schemas that are not sure to be quick (schemas/schema-risk.ts), in a thread of the tools' owner with a
 * limit of time: a schema that freezes its checker freezes nobody else.
 */
import { Worker } from 'node:worker_threads';
import {
  channelOf,
  createPort,
  createTurns,
  type JsonSchema,
  type Port,
  type Problem,
  threadEntry,
} from '../../kernel/index.ts';
import type { GuardedCheck } from './guarded-check.ts';

export interface SchemaGuard {
  /**
   * The problems of a value; nothing when it is valid. Rejects with an Error that says why when the check takes longer
   * than the limit, or when the schema cannot be compiled.
   */
  check(owner: string, schema: JsonSchema, value: unknown): Promise<Problem[] | undefined>;
  close(): Promise<void>;
}

interface Seat {
  worker: Worker;
  port: Port;
  ready: Promise<unknown>;
  lastUsed: number;
}

const heapMb = 128;
const startMs = 10_000;
/** More owners than these at once take turns by the least recently used thread being ended. */
const mostThreads = 8;
const idleMs = 30_000;
/** Checks of one owner that may wait for their turn. */
const mostWaiting = 32;

export function createSchemaGuard(limitMs = 2000): SchemaGuard {
  const seats = new Map<string, Seat>();
  const keys = new WeakMap<JsonSchema, number>();
  const turns = createTurns();
  const waiting = new Map<string, number>();
  let lastKey = 0;
  let closed = false;
  let sweeper: NodeJS.Timeout | undefined;

  const end = async (owner: string, reason: string): Promise<void> => {
    const seat = seats.get(owner);
    if (!seat) return;
    seats.delete(owner);
    seat.port.close(reason);
    await seat.worker.terminate();
  };

  const sweep = (): void => {
    const limit = performance.now() - idleMs;
    for (const [owner, { port, lastUsed }] of seats) {
      if (port.pending === 0 && lastUsed < limit) void end(owner, 'it was idle');
    }
    if (seats.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  const open = async (owner: string): Promise<Seat> => {
    if (seats.size >= mostThreads) {
      const [oldest] = [...seats].sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
      if (oldest) await end(oldest[0], 'others needed its place');
    }
    const entry = await threadEntry('schema-worker', 'plugins/tools/schema-worker.ts');
    const worker = new Worker(entry, {
      name: 'svc-schema-guard',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    worker.unref();
    const port = createPort(
      channelOf(worker, gone => void worker.once('exit', () => gone('its thread ended'))),
      {},
    );
    worker.on('error', error => port.close(error.message));
    worker.once('exit', () => {
      if (seats.get(owner)?.worker === worker) seats.delete(owner);
    });
    const seat = { worker, port, ready: port.call('ready', null, { timeoutMs: startMs }), lastUsed: performance.now() };
    seats.set(owner, seat);
    sweeper ??= setInterval(sweep, idleMs).unref();
    return seat;
  };

  const checkIn = async (owner: string, schema: JsonSchema, value: unknown): Promise<Problem[] | undefined> => {
    if (closed) throw new Error('the server is shutting down');
    const seat = seats.get(owner) ?? (await open(owner));
    seat.lastUsed = performance.now();
    await seat.ready;
    let key = keys.get(schema);
    if (key === undefined) {
      lastKey += 1;
      key = lastKey;
      keys.set(schema, key);
    }
    try {
      const asked: GuardedCheck = { key, schema, value };
      const problems = await seat.port.call('check', asked, { timeoutMs: limitMs });
      return (problems as Problem[] | null) ?? undefined;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === 'SVC_RPC_TIMEOUT') await end(owner, 'a check took too long');
      const late = code === 'SVC_RPC_TIMEOUT' || code === 'SVC_KERNEL_PORT_CLOSED';
      throw new Error(late ? `it took longer than ${limitMs} ms` : message);
    }
  };

  return {
    async check(owner, schema, value) {
      const before = waiting.get(owner) ?? 0;
      if (before >= mostWaiting) throw new Error(`${mostWaiting} other checks of its skill wait already`);
      waiting.set(owner, before + 1);
      try {
        // One at a time for each owner: the limit is that of a check, not of those before it.
        return await turns.take(owner, () => checkIn(owner, schema, value));
      } finally {
        const left = (waiting.get(owner) ?? 1) - 1;
        if (left > 0) waiting.set(owner, left);
        else waiting.delete(owner);
      }
    },
    async close() {
      closed = true;
      clearInterval(sweeper);
      await Promise.all([...seats.keys()].map(owner => end(owner, 'the server is shutting down')));
    },
  };
}
