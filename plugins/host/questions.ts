/** Questions of a host handler to the client of its call, on both sides of the port: they cross as events of the call. */
import {
  type Port,
  type PortContext,
  type PortHandler,
  reviveError,
  rpcErrors,
  sendableError,
} from '../../kernel/light.ts';
import { type Ask, type Asking, type AskOptions, asking } from '../../schemas/asking.ts';
import type { ToolCall } from '../tools/api.ts';

/** Event of a call: one question, or that it is taken back. */
export const askEvent = 'ask';
export const unaskEvent = 'unask';
/** Method of the host's side: the answer to a question. */
export const answeredMethod = 'host.answered';

type Asked = [number: number, method: string, params: Record<string, unknown>, options: AskOptions];
/** The deadline of the call is a later one now. */
type Answered = [number: number, deadline: number | undefined, value: unknown, error?: unknown];

interface Open {
  settle(deadline: number | undefined): void;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export type HostQuestions = ReturnType<typeof createHostQuestions>;

/** The host's side. */
export function createHostQuestions() {
  const open = new Map<number, Open>();
  let last = 0;

  return {
    /** What asks on behalf of the call behind `context` until `off` aborts; `onDeadline` hears how that moves. */
    of(context: PortContext, off: AbortSignal, onDeadline: (deadline: number) => void): Asking {
      const ask: Ask = (method, params = {}, { signal, ...options } = {}) =>
        new Promise((resolve, reject) => {
          last += 1;
          const number = last;
          const giveUp = (): void => {
            open.get(number)?.settle(undefined);
            context.notify(unaskEvent, number);
            reject(rpcErrors.CANCELLED({ reason: `the question ${method} was taken back` }));
          };
          const signals = [off, signal];
          const settle = (deadline: number | undefined): void => {
            open.delete(number);
            for (const each of signals) each?.removeEventListener('abort', giveUp);
            if (deadline !== undefined) onDeadline(deadline);
          };
          if (signals.some(each => each?.aborted)) return giveUp();
          // Throws for what cannot cross, which rejects.
          context.notify(askEvent, [number, String(method), params, options] satisfies Asked);
          open.set(number, { settle, resolve, reject });
          for (const each of signals) each?.addEventListener('abort', giveUp);
        });
      return asking(ask);
    },
    answered: ((given: unknown) => {
      const [number, deadline, value, error] = given as Answered;
      const question = open.get(number);
      question?.settle(deadline);
      if (error === undefined) question?.resolve(value);
      else question?.reject(reviveError(error));
    }) satisfies PortHandler,
  };
}

/** The server's side, for one call; `onPause` is told while at least one question is open, and when none is. */
export function askedQuestions(port: Pick<Port, 'notify'>, call: ToolCall, onPause: (paused: boolean) => void) {
  const open = new Map<number, AbortController>();

  const ask = async ([number, method, params, options]: Asked): Promise<void> => {
    const taken = new AbortController();
    if (open.size === 0) onPause(true);
    open.set(number, taken);
    let answer: [value: unknown, error?: unknown];
    try {
      answer = [await call.ask(method, params, { ...options, signal: taken.signal })];
    } catch (error) {
      answer = [undefined, sendableError(error)];
    }
    open.delete(number);
    if (open.size === 0) onPause(false);
    port.notify(answeredMethod, [number, call.deadline, ...answer] satisfies Answered);
  };

  return {
    ask: (asked: unknown): void => void ask(asked as Asked),
    unask: (number: unknown): void => open.get(number as number)?.abort(),
  };
}
