/** One prompt while the host renders it: its deadline, which stands still while a question is open, and its questions. */
import { isSvcError, rpcErrors } from '../../kernel/index.ts';
import type { Ask } from '../../schemas/asking.ts';
import { createPatience } from '../../schemas/patience.ts';
import type { PromptCall } from './declarations.ts';

export type Rendering = ReturnType<typeof createRendering>;

export function createRendering(call: PromptCall, timeoutMs: number) {
  const late = new AbortController();
  let refusal: unknown;
  const patience = createPatience(timeoutMs, () => late.abort());
  /** Aborted when the client gives up, and at the deadline. */
  const signal = AbortSignal.any([call.signal, late.signal]);
  const ask: Ask = async (...question) => {
    const goOn = patience.hold();
    try {
      return await call.ask(...question);
    } catch (error) {
      refusal = error;
      throw error;
    } finally {
      goOn();
    }
  };
  return {
    ask,
    signal,
    /** `work`, unless it is given up before: a handler in place is not stopped by a signal. */
    orGivenUp: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        work.then(resolve, reject);
      }),
    /** The error to tell instead: it is late, or what a question failed with and the handler let pass. */
    failure(error: unknown): Error | undefined {
      if (late.signal.aborted) return rpcErrors.TIMEOUT({ what: 'The handler of the prompt', timeout_ms: timeoutMs });
      return isSvcError(refusal) && isSvcError(error) && refusal.code === error.code ? refusal : undefined;
    },
    end: patience.end,
  };
}
