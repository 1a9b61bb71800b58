/**
 * Request/response between two threads (or processes) over any message channel: an id map, cancellation, deadlines.
 * Used by the host bridge and by skill workers; a plain map costs 16 us a round trip and beats the RPC packages.
 */
import { InFlight } from '../schemas/in-flight.ts';
import { InFlightById } from '../schemas/in-flight-by-id.ts';
import type { Channel } from '../schemas/message-channel.ts';
import { messageOf } from '../schemas/thrown.ts';
import { kernelErrors, reviveError, rpcErrors, sendableError } from './errors.ts';

export interface PortCallOptions {
  /** Deadline in ms; 0 or absent means none. The other side is told to cancel when it passes. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** Receives what the other side's handler sends with `context.notify` while the call runs. */
  onEvent?: ((name: string, data: unknown) => void) | undefined;
}

export interface PortContext {
  /** Aborted when the caller cancels or gives up. */
  readonly signal: AbortSignal;
  /** Sends an event to the caller of this very call. */
  notify(name: string, data: unknown): void;
}

export type PortHandler = (params: unknown, context: PortContext) => unknown;

export interface Port {
  /** Rejects with the other side's error, SVC_RPC_TIMEOUT, SVC_RPC_CANCELLED or SVC_KERNEL_PORT_CLOSED. */
  call(method: string, params: unknown, options?: PortCallOptions): Promise<unknown>;
  /** One-way message to a handler of the other side. */
  notify(method: string, params: unknown): void;
  /** Calls of ours that wait for an answer. */
  readonly pending: number;
  /** Rejects what waits; later calls reject too. */
  close(reason: string): void;
}

const CALL = 0;
const RESULT = 1;
const ERROR = 2;
const CANCEL = 3;
const EVENT = 4;
const NOTIFY = 5;

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onEvent: ((name: string, data: unknown) => void) | undefined;
  timer: NodeJS.Timeout | undefined;
  signal: AbortSignal | undefined;
  onAbort: (() => void) | undefined;
}

/** A call of the other side. A class: what a getter of an object's own reaches is freed by no collection but a full one. */
class Running implements PortContext {
  done = false;
  readonly notify: PortContext['notify'];
  #abort: AbortController | undefined;
  #cancelled = false;

  constructor(post: (message: unknown[]) => void, id: number) {
    this.notify = (name, data) => {
      if (!this.done) post([EVENT, id, name, data]);
    };
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#cancelled) this.#abort.abort();
    return this.#abort.signal;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#abort?.abort();
  }
}

/** Opens a port on `channel`, answering the other side's calls with `handlers`; `onFailure` hears of failed notifications. */
export function createPort(
  channel: Channel,
  handlers: Record<string, PortHandler>,
  onFailure: (method: string, error: unknown) => void = () => undefined,
): Port {
  const pending = new InFlight<Pending>();
  const running = new InFlightById<Running>();
  let closedBecause: string | undefined;

  const settle = (id: number): Pending | undefined => {
    const waiting = pending.take(id);
    if (waiting?.timer) clearTimeout(waiting.timer);
    if (waiting?.onAbort) waiting.signal?.removeEventListener('abort', waiting.onAbort);
    return waiting;
  };

  const post = (message: unknown[]): void => {
    if (closedBecause === undefined) channel.post(message);
  };

  const giveUp = (id: number, error: unknown): void => {
    const waiting = settle(id);
    if (!waiting) return;
    post([CANCEL, id]);
    waiting.reject(error);
  };

  const end = (id: number, state: Running): void => {
    state.done = true;
    if (running.size > 0) running.delete(id);
  };

  const fail = (id: number, state: Running, error: unknown): void => {
    end(id, state);
    post([ERROR, id, sendableError(error)]);
  };

  const answer = (id: number, state: Running, value: unknown): void => {
    end(id, state);
    try {
      post([RESULT, id, value]);
    } catch (error) {
      fail(id, state, rpcErrors.INTERNAL({ reason: `the result cannot be sent: ${messageOf(error)}` }));
    }
  };

  const serve = (id: number, method: string, params: unknown): void => {
    const state = new Running(post, id);
    try {
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (!handler) throw rpcErrors.METHOD_NOT_FOUND({ method });
      const outcome = handler(params, state);
      if (outcome instanceof Promise) {
        running.set(id, state);
        outcome.then(
          value => answer(id, state, value),
          error => fail(id, state, error),
        );
      } else {
        answer(id, state, outcome);
      }
    } catch (error) {
      fail(id, state, error);
    }
  };

  const notified = async (method: string, params: unknown): Promise<void> => {
    if (!Object.hasOwn(handlers, method)) return;
    await handlers[method]?.(params, { signal: new AbortController().signal, notify: () => undefined });
  };

  channel.onMessage(received => {
    // Skill code shares its worker's channel and may post anything on it.
    if (!Array.isArray(received)) return;
    const [kind, first, second, third] = received as [number, never, never, never];
    switch (kind) {
      case CALL:
        return serve(first, second, third);
      case RESULT:
        return settle(first)?.resolve(second);
      case ERROR:
        return settle(first)?.reject(reviveError(second));
      case EVENT:
        return pending.get(first)?.onEvent?.(second, third);
      case NOTIFY:
        return void notified(first, second).catch(error => onFailure(first, error));
      case CANCEL:
        return void running.get(first)?.cancel();
    }
  });

  const close = (reason: string): void => {
    if (closedBecause !== undefined) return;
    closedBecause = reason;
    for (const id of pending.numbers()) settle(id)?.reject(kernelErrors.PORT_CLOSED({ reason }));
    for (const state of running.list()) state.cancel();
  };
  channel.onClose(close);

  return {
    call(method, params, { timeoutMs = 0, signal, onEvent } = {}) {
      if (closedBecause !== undefined) return Promise.reject(kernelErrors.PORT_CLOSED({ reason: closedBecause }));
      if (signal?.aborted) return Promise.reject(rpcErrors.CANCELLED({ reason: String(signal.reason) }));
      return new Promise((resolve, reject) => {
        const onAbort = signal && (() => giveUp(id, rpcErrors.CANCELLED({ reason: String(signal.reason) })));
        const timer =
          timeoutMs > 0
            ? setTimeout(() => giveUp(id, rpcErrors.TIMEOUT({ what: method, timeout_ms: timeoutMs })), timeoutMs)
            : undefined;
        const id = pending.add({ resolve, reject, onEvent, timer, signal, onAbort });
        if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
        try {
          channel.post([CALL, id, method, params]);
        } catch (error) {
          settle(id);
          reject(rpcErrors.INTERNAL({ reason: `the arguments cannot be sent: ${messageOf(error)}` }, error));
        }
      });
    },
    notify: (method, params) => post([NOTIFY, method, params]),
    get pending() {
      return pending.size;
    },
    close,
  };
}
