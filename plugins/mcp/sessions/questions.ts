/** Requests from the server to the client of one session, and the answers that are awaited. */
import { rpcErrors } from '../../../kernel/index.ts';
import { mcpErrors } from '../errors.ts';
import { Frame, notificationFrame } from '../streams/frame.ts';
import { assertAnswerable, checkedAnswer } from './answer-check.ts';

interface Waiting {
  readonly method: string;
  settle(outcome: { value: unknown } | { error: Error }): void;
}

export interface Question {
  method: string;
  params: Record<string, unknown>;
  timeoutMs: number;
  /** Gives up when aborted. */
  signal: AbortSignal | undefined;
  /** Puts a message on the stream that carries the question; false when there is none. */
  send(frame: Frame): boolean;
}

export class Questions {
  readonly #waiting = new Map<string, Waiting>();
  #asked = 0;

  /** Resolves with the client's result. Rejects on one that answers something else, an error, timeout, abort or end. */
  async ask(question: Question): Promise<unknown> {
    const { method, params } = question;
    assertAnswerable(method, params);
    return checkedAnswer(method, params, await this.#put(question));
  }

  #put({ method, params, timeoutMs, signal, send }: Question): Promise<unknown> {
    this.#asked += 1;
    const id = `svc-${this.#asked}`;
    const giveUp = (reason: string): void =>
      void send(notificationFrame('notifications/cancelled', { requestId: id, reason }));
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = outcome => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      };
      const onAbort = (): void => {
        giveUp('the request that needed the answer was cancelled');
        settle({ error: rpcErrors.CANCELLED({ reason: `the client was not awaited any longer for ${method}` }) });
      };
      const timer = setTimeout(() => {
        giveUp('timeout');
        settle({ error: rpcErrors.TIMEOUT({ what: `The client, asked for ${method},`, timeout_ms: timeoutMs }) });
      }, timeoutMs).unref();
      signal?.addEventListener('abort', onAbort);
      this.#waiting.set(id, { method, settle });
      if (signal?.aborted) {
        onAbort();
        return;
      }
      const sent = send(new Frame(JSON.stringify({ jsonrpc: '2.0', id, method, params })));
      if (!sent) settle({ error: mcpErrors.NO_STREAM({ method }) });
    });
  }

  /** Takes a response object; false when nothing waits for it. */
  answer({ id, result, error }: { id?: unknown; result?: unknown; error?: unknown }): boolean {
    const waiting = this.#waiting.get(id as string);
    if (!waiting) return false;
    if (error === undefined) {
      waiting.settle({ value: result });
      return true;
    }
    const { message, code } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    const details = { method: waiting.method, reason: String(message ?? 'no message'), client_code: code };
    waiting.settle({ error: mcpErrors.CLIENT_ERROR(details) });
    return true;
  }

  end(reason: string): void {
    for (const { settle } of [...this.#waiting.values()]) settle({ error: rpcErrors.CANCELLED({ reason }) });
  }
}
