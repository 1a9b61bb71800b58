/**
 * The host's main-thread side of host calls: a queue drained in time slices, so that a burst of calls never holds the
 * host longer than one slice and the handler that ends it.
 */
import type { PortContext, PortHandler } from '../../kernel/light.ts';
import type { HostCall } from './api.ts';
import { hostErrors } from './errors.ts';
import type { HostHandlers } from './handlers.ts';
import type { HostSlots } from './slots.ts';
import { encodeHostFailure, encodeHostResult, type HostRequest } from './wire.ts';

interface Waiting {
  request: HostRequest;
  context: PortContext;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface HostQueueParts {
  handlers: HostHandlers;
  /** The shared ring, known once the server thread has read its configuration. */
  slots: () => HostSlots;
  sliceMs: () => number;
}

const compactAfter = 1024;

/** Returns the port handler that queues a call and answers when it has run. */
export function createHostQueue({ handlers, slots, sliceMs }: HostQueueParts): PortHandler {
  let queue: Waiting[] = [];
  let head = 0;
  let scheduled = false;

  const drain = (): void => {
    const end = performance.now() + sliceMs();
    do {
      const next = queue[head] as Waiting;
      head += 1;
      begin(next);
    } while (head < queue.length && performance.now() < end);
    scheduled = head < queue.length;
    if (!scheduled || head > compactAfter) {
      queue = queue.slice(head);
      head = 0;
    }
    if (scheduled) setImmediate(drain);
  };

  const begin = ({ request, context, resolve, reject }: Waiting): void => {
    // Nobody waits for the answer of a call that was given up: it is settled only to be forgotten.
    if (!slots().begin(request.ticket)) resolve(undefined);
    else if (request.deadline !== undefined && Date.now() >= request.deadline) {
      reject(hostErrors.TIMEOUT({ state: notBegun }));
    } else {
      settle(() => {
        const outcome = handlers.run(request.key, request.args, callOf(request, context));
        if (!isThenable(outcome)) return resolve(encodeHostResult(outcome));
        outcome.then(value => settle(() => resolve(encodeHostResult(value)), reject), refuse(reject));
      }, reject);
    }
  };

  return (params, context) =>
    new Promise((resolve, reject) => {
      queue.push({ request: params as HostRequest, context, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      setImmediate(drain);
    });
}

/** Said of a call that its caller gave up before the host came to it. */
export const notBegun = 'its main thread was occupied, the call has not begun and will not run';
/** Said of a call that is given up while its handler runs. */
export const stillRunning = 'the handler has begun and may still be running';

function callOf(request: HostRequest, context: PortContext): HostCall {
  return {
    requestId: request.requestId,
    meta: request.meta,
    deadline: request.deadline,
    get signal() {
      return context.signal;
    },
    progress: (...step) => context.notify('progress', step),
    log: (level, data) => context.notify('log', [level, data]),
  };
}

const refuse = (reject: (error: unknown) => void) => (error: unknown) => reject(encodeHostFailure(error));

/** Runs `work`; what it throws rejects the call. */
function settle(work: () => void, reject: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    reject(encodeHostFailure(error));
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function';
}
