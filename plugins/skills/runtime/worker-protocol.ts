/**
 * What passes between the server and a skill's worker or process. Both sides speak the kernel's port over batches, so
 * that calls of the same tick cost one message; payloads are JSON text, which cannot fail to be cloned.
 */
import type { Channel } from '../../../kernel/index.ts';
import type { TraceContext } from '../../../schemas/traceparent.ts';
import type { ToolText } from '../../tools/api.ts';

/** Place of the connection among the descriptors of a process. */
export const linkFd = 3;
/** First in the last message of a process: what was thrown outside of a call, message and stack. */
export const FATAL = 'fatal';

/** Handed to a worker thread at its start. */
export interface ThreadData {
  port: import('node:worker_threads').MessagePort;
  /** Int32 cells, see `BEGUN` and `GATE`. */
  cells: SharedArrayBuffer;
  bufferMb: number;
}

/** How a realm ends that holds more in buffers than it may; the limit stands between. */
export const buffersEnd = (bufferMb: number): string => `held more than ${bufferMb} MB in buffers outside its heap`;

/** Cell: sequence number of the last call that began. */
export const BEGUN = 0;
/** Cell: 1 once the server gave the thread up, after which no call may begin. */
export const GATE = 1;

export interface LoadRequest {
  /** File URL of the bundle. */
  url: string;
  skill: string;
  config: Readonly<Record<string, unknown>>;
  maxResultBytes: number;
  tools: readonly { name: string; file: string }[];
}

export interface LoadFailure {
  /** Tool file without a function, absent when the top-level code threw. */
  file?: string;
  found?: string;
  message: string;
  stack: string;
}

/** Sequence number, tool name, arguments as JSON, and the trace that the call is part of. */
export type CallRequest = [sequence: number, tool: string, args: string, trace?: TraceContext];

/** A question to the caller of a call: sequence number, method, params as JSON, and how it is asked. */
export type AskRequest = [
  sequence: number,
  method: string,
  params: string,
  key: string | null | undefined,
  timeoutMs: number | null | undefined,
];

/** As text `undefined` becomes null on its way. */
export type CallAnswer = [json: string, kind: ToolText['kind'], success: boolean | null | undefined] | CallFailure;

export interface CallFailure {
  failed: 'threw' | 'result' | 'cancelled';
  message: string;
  code?: string;
  stack?: string;
}

/** One item of a batch: a message of the port, or the number of a call to cancel. */
export type Item = unknown[] | number;

/** The raw connection: batches in order, either way. */
export interface Link {
  post(batch: Item[]): void;
  onBatch(receive: (batch: Item[]) => void): void;
}

export interface BatchChannel extends Channel {
  /** Sends what waits now: for what must get out even when the thread never yields again. */
  flush(): void;
  /** Cancels a call of the other side, ahead of everything that waits there. */
  cancel(sequence: number): void;
}

export interface BatchOptions {
  /** Runs its argument once, when what was posted so far shall be sent. */
  schedule(flush: () => void): void;
  /** Hears of cancelled calls before any message of the same batch is received. */
  onCancel?(sequence: number): void;
  onClose?: Channel['onClose'];
  /** What the other side sent could not be handled: it is not trusted to be well formed. */
  onMalformed?(error: unknown): void;
}

export function batchChannel(link: Link, { schedule, onCancel, onClose, onMalformed }: BatchOptions): BatchChannel {
  let waiting: Item[] = [];
  const flush = (): void => {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    link.post(batch);
  };
  const add = (item: Item): void => {
    if (waiting.push(item) === 1) schedule(flush);
  };
  return {
    post: message => add(message as unknown[]),
    cancel: add,
    flush,
    onClose: closed => onClose?.(closed),
    onMessage(receive) {
      link.onBatch(batch => {
        for (const item of batch) if (typeof item === 'number') onCancel?.(item);
        for (const item of batch) {
          if (typeof item === 'number') continue;
          try {
            receive(item);
          } catch (error) {
            if (!onMalformed) throw error;
            onMalformed(error);
          }
        }
      });
    },
  };
}
