/** The server thread's side of host calls: the bound of the queue, the deadline, cancellation. */
import { isSvcError, type Port } from '../../kernel/light.ts';
import type { ToolCall } from '../tools/api.ts';
import type { HostRunner } from './api.ts';
import { hostErrors } from './errors.ts';
import { notBegun, stillRunning } from './queue.ts';
import type { HostSlots } from './slots.ts';
import { type HostRequest, runMethod, stopMethod } from './wire.ts';

/** Runs handlers on the other side of `port`; `now` is the clock of deadlines. */
export function createHostBridge(port: Pick<Port, 'call' | 'notify'>, slots: HostSlots, now: () => number): HostRunner {
  const failure = (error: unknown, ticket: number, deadline: number | undefined): unknown => {
    if (!isSvcError(error)) return error;
    // As if the handler had run in place: the pipeline wraps what is not of the table.
    if (error.code === 'SVC_HOST_HANDLER_FAILED') return new Error(error.message);
    // The cause is kept only by errors of this side: the arguments could not be sent.
    if (error.cause !== undefined) slots.release(ticket);
    const timedOut = error.code === 'SVC_RPC_TIMEOUT';
    if (!timedOut && error.code !== 'SVC_RPC_CANCELLED') return error;
    const state = slots.giveUp(ticket) ? notBegun : stillRunning;
    const late = timedOut || (deadline !== undefined && now() >= deadline);
    return late ? hostErrors.TIMEOUT({ state }) : hostErrors.CANCELLED({ state });
  };

  /** A job ends when its handler has: a cancel tells the handler, and gives up only a call that has not begun. */
  const runJob = (request: HostRequest, call: ToolCall, onEvent: (name: string, data: unknown) => void) =>
    new Promise((resolve, reject) => {
      const forget = call.onAbort(reason => {
        if (slots.giveUp(request.ticket)) reject(hostErrors.CANCELLED({ state: notBegun }));
        else port.notify(stopMethod, [request.ticket, reason instanceof Error ? reason.message : 'cancelled']);
      });
      port
        .call(runMethod, request, { timeoutMs: 0, onEvent })
        .then(resolve, error => reject(failure(error, request.ticket, undefined)))
        .finally(forget);
    });

  return {
    run(key, args, call) {
      const { deadline, requestId, meta, signal } = call;
      if (signal.aborted) throw hostErrors.CANCELLED({ state: notBegun });
      const remaining = deadline === undefined ? 0 : deadline - now();
      if (deadline !== undefined && remaining <= 0) throw hostErrors.TIMEOUT({ state: notBegun });
      const ticket = slots.claim();
      if (ticket === undefined) throw hostErrors.BUSY({ limit: slots.size });
      const job = call.graceMs > 0 && deadline === undefined;
      const request: HostRequest = { key, ticket, deadline, requestId, meta, args, job };
      const onEvent = (name: string, data: unknown): void => {
        if (name === 'progress') call.progress(...(data as Parameters<typeof call.progress>));
        if (name === 'log') call.log(...(data as Parameters<typeof call.log>));
      };
      if (job) return runJob(request, call, onEvent);
      return port.call(runMethod, request, { timeoutMs: remaining, signal, onEvent }).catch((error: unknown) => {
        throw failure(error, ticket, deadline);
      });
    },
  };
}
