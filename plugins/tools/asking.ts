/** Questions of a running call to its client: the way that one goes, and how long one has been open. */
import type { RpcContext } from '../../kernel/index.ts';
import { type Ask, type AskOptions, patienceMs } from '../../schemas/asking.ts';
import type { Json } from '../../schemas/loose.ts';
import { toolErrors } from './errors.ts';

/** Whom a call may ask: who speaks for it, else its client. */
export interface Askable {
  /** Of the job or the call that the call is part of. */
  ask: Ask | undefined;
  /** Its request, or that which its job was made of. */
  client: RpcContext | undefined;
}

/** Sends a question the way it can go; rejects with SVC_TOOLS_CANNOT_ASK where there is none. */
function sent({ ask, client }: Askable, ...question: Parameters<RpcContext['request']>): Promise<unknown> {
  const [method, params, timeoutMs, key, signal] = question;
  if (ask) return ask(method, params as Json, { timeoutMs, key, signal });
  if (client) return client.request(...question);
  throw toolErrors.CANNOT_ASK({ method, reason: 'no MCP client waits for this call' });
}

/** The questions of one call, made with its first. */
export class Questions {
  readonly #end = new AbortController();
  #open = 0;
  #stoppedAt = 0;
  #stoodMs = 0;

  /** Whether one waits for its answer. */
  get open(): boolean {
    return this.#open > 0;
  }

  /** For how long at least one did, of those that are answered. */
  get stoodMs(): number {
    return this.#stoodMs;
  }

  /** Takes back what is open, and what comes later. */
  end(reason?: unknown): void {
    this.#end.abort(reason);
  }

  async ask(whom: Askable, method: string, params: Json, options: AskOptions): Promise<unknown> {
    const { key, timeoutMs = patienceMs, signal } = options;
    const off = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal;
    if (this.#open === 0) this.#stoppedAt = performance.now();
    this.#open += 1;
    try {
      return await sent(whom, method, params, timeoutMs, key, off);
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#stoodMs += performance.now() - this.#stoppedAt;
    }
  }
}
