/**
 * The host's main-thread side of host calls: a queue drained in time slices, so that a burst of calls never holds the
 * host longer than one slice and the handler that ends it.
 */
import type { PortContext, PortHandler } from '../../kernel/light.ts';
import type { Asking } from '../../schemas/asking.ts';
import type { HostCall } from './api.ts';
import { hostErrors } from './errors.ts';
import type { RunHandler } from './handlers.ts';
import { answeredMethod, createHostQuestions, type HostQuestions } from './questions.ts';
import type { HostSlots } from './slots.ts';
import { encodeHostFailure, encodeHostResult, type HostRequest, runMethod, stopMethod } from './wire.ts';

interface Waiting {
  request: HostRequest;
  context: PortContext;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface HostQueueParts {
  run: RunHandler;
  /** The shared ring, known once the server thread has read its configuration. */
  slots: () => HostSlots;
  sliceMs: () => number;
}

const compactAfter = 1024;

/** The port handlers: one queues a call and answers when it has run, the other tells one that runs to stop. */
export function createHostQueue({ run, slots, sliceMs }: HostQueueParts): Record<string, PortHandler> {
  let queue: Waiting[] = [];
  let head = 0;
  let scheduled = false;
  const questions = createHostQuestions();
  /** Of running jobs, by ticket. */
  const stops = new Map<number, AbortController>();

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

  const begin = ({ request, context, ...answer }: Waiting): void => {
    const stop = request.job ? new AbortController() : undefined;
    if (stop) stops.set(request.ticket, stop);
    const resolve = (value: unknown): void => {
      stops.delete(request.ticket);
      answer.resolve(value);
    };
    const reject = (error: unknown): void => {
      stops.delete(request.ticket);
      answer.reject(error);
    };
    // Nobody waits for the answer of a call that was given up: it is settled only to be forgotten.
    if (!slots().begin(request.ticket)) resolve(undefined);
    else if (request.deadline !== undefined && Date.now() >= request.deadline) {
      reject(hostErrors.TIMEOUT({ state: notBegun }));
    } else {
      settle(() => {
        const outcome = run(request.key, request.args, new RemoteCall(request, context, stop, questions));
        if (!isThenable(outcome)) return resolve(encodeHostResult(outcome));
        outcome.then(value => settle(() => resolve(encodeHostResult(value)), reject), refuse(reject));
      }, reject);
    }
  };

  return {
    [runMethod]: (params, context) =>
      new Promise((resolve, reject) => {
        queue.push({ request: params as HostRequest, context, resolve, reject });
        if (scheduled) return;
        scheduled = true;
        setImmediate(drain);
      }),
    [stopMethod]: params => {
      const [ticket, reason] = params as [number, string];
      stops.get(ticket)?.abort(new Error(reason));
    },
    [answeredMethod]: questions.answered,
  };
}

/** Said of a call that its caller gave up before the host came to it. */
export const notBegun = 'its main thread was occupied, the call has not begun and will not run';
/** Said of a call that is given up while its handler runs. */
export const stillRunning = 'the handler has begun and may still be running';

/** Members may be taken apart from it, as from a call in place. */
class RemoteCall implements HostCall {
  readonly requestId: string | number | undefined;
  readonly meta: HostCall['meta'];
  deadline: number | undefined;
  readonly #context: PortContext;
  readonly #stop: AbortController | undefined;
  readonly #questions: HostQuestions;
  #asking: Asking | undefined;

  constructor(request: HostRequest, context: PortContext, stop: AbortController | undefined, questions: HostQuestions) {
    this.requestId = request.requestId;
    this.meta = request.meta;
    this.deadline = request.deadline;
    this.#context = context;
    this.#stop = stop;
    this.#questions = questions;
  }

  get signal(): AbortSignal {
    return this.#stop?.signal ?? this.#context.signal;
  }

  get progress(): HostCall['progress'] {
    return (...step) => this.#context.notify('progress', step);
  }

  get log(): HostCall['log'] {
    return (level, data) => this.#context.notify('log', [level, data]);
  }

  get closeStream(): HostCall['closeStream'] {
    return retryMs => this.#context.notify('closeStream', retryMs);
  }

  get ask(): HostCall['ask'] {
    return this.#forms.ask;
  }

  get elicit(): HostCall['elicit'] {
    return this.#forms.elicit;
  }

  get sample(): HostCall['sample'] {
    return this.#forms.sample;
  }

  get roots(): HostCall['roots'] {
    return this.#forms.roots;
  }

  get #forms(): Asking {
    const onDeadline = (deadline: number): void => {
      this.deadline = deadline;
    };
    this.#asking ??= this.#questions.of(this.#context, this.signal, onDeadline);
    return this.#asking;
  }
}

const refuse = (reject: (error: unknown) => void) => (error: unknown) => reject(encodeHostFailure(error));

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
