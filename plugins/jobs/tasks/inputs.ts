/** What the work of one task asks its client: open until tasks/update brings the answer. */
import { rpcErrors } from '../../../kernel/index.ts';
import type { AskOptions } from '../../../schemas/asking.ts';
import { isObject } from '../../../schemas/loose.ts';
import { taskErrors } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Open {
  readonly method: string;
  readonly params: Fields;
  settle(outcome: { value: unknown } | { error: Error }): void;
}

/** The capability that a question needs. */
const capabilities: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

const patienceMs = 300_000;

export type TaskInputs = ReturnType<typeof createInputs>;

/** `declared` is what the client can do; `changed` is told when a question opens or closes. */
export function createInputs(declared: Fields, changed: () => void) {
  const open = new Map<string, Open>();
  const used = new Set<string>();

  /** A key is never used twice: the second question that wants it gets a number. */
  const free = (wanted: string): string => {
    let key = wanted;
    for (let number = 2; used.has(key); number += 1) key = `${wanted}_${number}`;
    used.add(key);
    return key;
  };

  return {
    get size(): number {
      return open.size;
    },
    /** Every open question, as the client is told of it. */
    get told(): Record<string, Pick<Open, 'method' | 'params'>> {
      return Object.fromEntries([...open].map(([key, { method, params }]) => [key, { method, params }]));
    },
    async ask(method: string, params: Fields = {}, options: AskOptions = {}): Promise<unknown> {
      const { key, timeoutMs = patienceMs, signal } = options;
      const capability = capabilities.get(method);
      if (capability === undefined || !isObject(declared[capability])) {
        throw taskErrors.UNASKABLE({ method, capability: capability ?? method });
      }
      const name = free(key || capability);
      return new Promise((resolve, reject) => {
        const settle: Open['settle'] = outcome => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          if (open.delete(name)) changed();
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.value);
        };
        const onAbort = (): void => settle({ error: rpcErrors.CANCELLED({ reason: `nobody waits for ${method}` }) });
        const timer = setTimeout(() => {
          settle({ error: rpcErrors.TIMEOUT({ what: `The client, asked for ${method},`, timeout_ms: timeoutMs }) });
        }, timeoutMs).unref();
        open.set(name, { method, params, settle });
        if (signal?.aborted) onAbort();
        else {
          signal?.addEventListener('abort', onAbort);
          changed();
        }
      });
    },
    /** Takes the answers to open questions; anything else is left out of account. */
    answer(responses: Fields): void {
      for (const [key, { settle }] of [...open]) {
        const value = Object.hasOwn(responses, key) ? responses[key] : undefined;
        if (isObject(value)) settle({ value });
      }
    },
    end(): void {
      for (const { settle } of [...open.values()])
        settle({ error: rpcErrors.CANCELLED({ reason: 'the task has ended' }) });
    },
  };
}
