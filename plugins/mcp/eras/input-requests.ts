/** What one sessionless run asks its client, by key: open until a later request of the client brings the answer. */
import { rpcErrors } from '../../../kernel/index.ts';
import { isObject } from '../../../schemas/loose.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface InputRequest {
  readonly method: string;
  readonly params: object;
}

interface Open extends InputRequest {
  settle(outcome: { value: unknown } | { error: Error }): void;
}

/** What can be asked, and the key of a question that has no name of its own. */
const usualKeys: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

export const canBeAsked = (method: string): boolean => usualKeys.has(method);

export class InputRequests {
  readonly #open = new Map<string, Open>();
  readonly #used = new Set<string>();
  /** Answers that came before their question did. */
  readonly #given: Map<string, unknown>;

  constructor(given: Fields) {
    this.#given = new Map(Object.entries(given));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Every open question, as the client is told of it. */
  get told(): Record<string, InputRequest | Pick<InputRequest, 'method'>> {
    const empty = (params: object): boolean => Object.keys(params).length === 0;
    return Object.fromEntries(
      [...this.#open].map(([key, { method, params }]) => [key, empty(params) ? { method } : { method, params }]),
    );
  }

  /**
   * Resolves with the client's result. A key is never used twice: the second question that wants it gets a number. `off`
   * takes the question back.
   */
  ask(method: string, params: object, timeoutMs: number, wanted?: string, off?: AbortSignal): Promise<unknown> {
    const key = this.#free(wanted || (usualKeys.get(method) ?? method));
    const given = this.#given.get(key);
    if (isObject(given)) return Promise.resolve(given);
    return new Promise((resolve, reject) => {
      const settle: Open['settle'] = outcome => {
        clearTimeout(timer);
        off?.removeEventListener('abort', onOff);
        this.#open.delete(key);
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      };
      const onOff = (): void => settle({ error: rpcErrors.CANCELLED({ reason: `nobody waits for ${method}` }) });
      const timer = setTimeout(() => {
        settle({ error: rpcErrors.TIMEOUT({ what: `The client, asked for ${method},`, timeout_ms: timeoutMs }) });
      }, timeoutMs).unref();
      this.#open.set(key, { method, params, settle });
      if (off?.aborted) onOff();
      else off?.addEventListener('abort', onOff);
    });
  }

  /** Takes the answers to open questions; anything else is left out of account. */
  answer(responses: Fields): void {
    for (const [key, { settle }] of [...this.#open]) {
      const value = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (isObject(value)) settle({ value });
    }
  }

  end(error: Error): void {
    for (const { settle } of [...this.#open.values()]) settle({ error });
  }

  #free(wanted: string): string {
    let key = wanted;
    for (let number = 2; this.#used.has(key); number += 1) key = `${wanted}_${number}`;
    this.#used.add(key);
    return key;
  }
}
