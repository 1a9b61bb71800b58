/** What an instance asks the gateway's session: who can answer does, and the answer goes back as a message of its own. */
import { toRpcError } from '../../../kernel/index.ts';
import { isObject, type Json, objectOf } from '../../../schemas/loose.ts';
import type { Answering } from './api.ts';

/** Stops a deadline until what it returns is called. */
export type Hold = () => () => void;

export function createBackendQuestions(reply: (message: Json) => void) {
  const open = new Map<unknown, AbortController>();

  const answer = async (id: unknown, question: [string, Json], ask: Answering, hold: Hold | undefined) => {
    const off = new AbortController();
    open.set(id, off);
    const goOn = hold?.();
    let outcome: Json;
    try {
      outcome = { result: (await ask(...question, off.signal)) ?? {} };
    } catch (error) {
      outcome = { error: toRpcError(error) };
    }
    goOn?.();
    open.delete(id);
    if (!off.signal.aborted) reply({ jsonrpc: '2.0', id, ...outcome });
  };

  return {
    /** False for a message that is no question and takes none back. `hold` is told while it is open. */
    take({ id, method, params }: Json, ask: Answering | undefined, hold?: Hold): boolean {
      if (typeof method !== 'string') return false;
      if (id === undefined) {
        const asked = method === 'notifications/cancelled' && isObject(params) && open.get(params.requestId);
        if (!asked) return false;
        asked.abort();
      } else if (method === 'ping') reply({ jsonrpc: '2.0', id, result: {} });
      else if (ask) void answer(id, [method, objectOf(params)], ask, hold);
      else reply({ jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method.slice(0, 200)}` } });
      return true;
    },
    /** Takes every question back. */
    end(): void {
      for (const off of open.values()) off.abort();
    },
  };
}
