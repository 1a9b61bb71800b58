/** The server thread's side of host calls: the bound of the queue, the deadline, cancellation. */
import { isSvcError, type Port } from '../../kernel/light.ts';
import type { ToolCall } from '../tools/api.ts';
import type { HostRunner } from './api.ts';
import { hostErrors } from './errors.ts';
import { askEvent, askedQuestions, unaskEvent } from './questions.ts';
import { notBegun, stillRunning } from './queue.ts';
import type { HostSlots } from './slots.ts';
import { type HostRequest, runMethod, stopMethod } from './wire.ts';

/** Runs handlers on the other side of `port`; `now` is the clock of deadlines. */
export function createHostBridge(port: Pick<Port, 'call' | 'notify'>, slots: HostSlots, now: () => number): HostRunner {
  const failure = (error: unknown, ticket: number, late: boolean): unknown => {
    if (!isSvcError(error)) return error;
    // As if the handler had run in place: the pipeline wraps what is not of the table.
    if (error.code === 'SVC_HOST_HANDLER_FAILED') return new Error(error.message);
    // The cause is kept only by errors of this side: the arguments could not be sent.
    if (error.cause !== undefined) slots.release(ticket);
    if (error.code !== 'SVC_RPC_CANCELLED') return error;
    const state = slots.giveUp(ticket) ? notBegun : stillRunning;
    return late ? hostErrors.TIMEOUT({ state }) : hostErrors.CANCELLED({ state });
  };

  const heardBy = (call: ToolCall, onPause: (paused: boolean) => void) => {
    let questions: ReturnType<typeof askedQuestions> | undefined;
    return (name: string, data: unknown): void => {
      if (name === 'progress') call.progress(...(data as Parameters<typeof call.progress>));
      else if (name === 'log') call.log(...(data as Parameters<typeof call.log>));
      else if (name === 'closeStream') call.closeStream(data as number | undefined);
      else if (name === unaskEvent) questions?.unask(data);
      else if (name === askEvent) {
        questions ??= askedQuestions(port, call, onPause);
        questions.ask(data);
      }
    };
  };

  /** A job ends when its handler has: a cancel tells the handler, and gives up only a call that has not begun. */
  const runJob = (request: HostRequest, call: ToolCall) =>
    new Promise((resolve, reject) => {
      const forget = call.onAbort(reason => {
        if (slots.giveUp(request.ticket)) reject(hostErrors.CANCELLED({ state: notBegun }));
        else port.notify(stopMethod, [request.ticket, reason instanceof Error ? reason.message : 'cancelled']);
      });
      const onEvent = heardBy(call, () => undefined);
      port
        .call(runMethod, request, { timeoutMs: 0, onEvent })
        .then(resolve, error => reject(failure(error, request.ticket, false)))
        .finally(forget);
    });

  /** Given up at the deadline of its call, which stands still while a question is open. */
  const runCall = async (request: HostRequest, call: ToolCall, stop: AbortController): Promise<unknown> => {
    let late = false;
    let timer: NodeJS.Timeout | undefined;
    const arm = (): void => {
      if (call.deadline === undefined) return;
      timer = setTimeout(() => {
        late = true;
        stop.abort();
      }, call.deadline - now());
    };
    const onEvent = heardBy(call, paused => (paused ? clearTimeout(timer) : arm()));
    arm();
    try {
      return await port.call(runMethod, request, { signal: stop.signal, timeoutMs: 0, onEvent });
    } catch (error) {
      throw failure(error, request.ticket, late || (call.deadline !== undefined && now() >= call.deadline));
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    run(key, args, call) {
      const { deadline, requestId, meta } = call;
      const stop = new AbortController();
      const job = call.graceMs > 0 && deadline === undefined;
      // Not its signal: that is another controller, and dearer than a small call.
      const forget = call.onAbort(() => stop.abort());
      if (stop.signal.aborted) throw hostErrors.CANCELLED({ state: notBegun });
      if (deadline !== undefined && deadline <= now()) throw hostErrors.TIMEOUT({ state: notBegun });
      const ticket = slots.claim();
      if (ticket === undefined) throw hostErrors.BUSY({ limit: slots.size });
      const request: HostRequest = { key, ticket, deadline, requestId, meta, args, job };
      if (!job) return runCall(request, call, stop);
      void forget();
      return runJob(request, call);
    },
  };
}
