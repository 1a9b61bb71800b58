/** Questions of a running call to its client: the way that one goes, and whether what came back answers it. */
import { createSchemas, messageOf, type RpcClient, summary, type Validator } from '../../kernel/index.ts';
import type { Ask, AskOptions } from '../../schemas/asking.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import { toolErrors } from './errors.ts';

/** How long a question waits for its answer when its author does not say: somebody may have to be fetched. */
const patienceMs = 300_000;

/** Whom a call may ask: who speaks for it, else its client. */
export interface Askable {
  /** Of the job or the call that the call is part of. */
  ask: Ask | undefined;
  /** The request of the call while it is not answered, else its session. */
  client: RpcClient | undefined;
}

/** Sends a question the way it can go; rejects with SVC_TOOLS_CANNOT_ASK where there is none. */
function sent({ ask, client }: Askable, ...question: Parameters<RpcClient['request']>): Promise<unknown> {
  const [method, params, timeoutMs, key, signal] = question;
  if (ask) return ask(method, params as Json, { timeoutMs, key, signal });
  if (client) return client.request(...question);
  throw toolErrors.CANNOT_ASK({ method, reason: 'no MCP client waits for this call' });
}

const schemas = createSchemas();

/** The questions of one call, made with its first. */
export class Questions {
  readonly #tool: string;
  readonly #end = new AbortController();
  #open = 0;
  #stoppedAt = 0;
  #stoodMs = 0;

  constructor(tool: string) {
    this.#tool = tool;
  }

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

  /** Asks and checks the answer. A form that is none, and an answer that is none, reject with SVC_TOOLS_*. */
  async ask(whom: Askable, method: string, params: Json, options: AskOptions): Promise<unknown> {
    const { key, timeoutMs = patienceMs, signal } = options;
    const off = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal;
    const form = method === 'elicitation/create' && isObject(params.requestedSchema) && params.requestedSchema;
    const validate = form ? this.#formOf(form) : undefined;
    if (this.#open === 0) this.#stoppedAt = performance.now();
    this.#open += 1;
    try {
      const answer = await sent(whom, method, params, timeoutMs, key, off);
      const reason = answerProblem(method, answer, validate);
      if (reason !== undefined) throw toolErrors.BAD_ANSWER({ tool: this.#tool, method, reason });
      return answer;
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#stoodMs += performance.now() - this.#stoppedAt;
      if (form) schemas.release(form);
    }
  }

  #formOf(form: Json): Validator {
    try {
      return schemas.compile(form);
    } catch (error) {
      throw toolErrors.SCHEMA_INVALID({ tool: this.#tool, field: 'form', reason: messageOf(error) });
    }
  }
}

const actions = ['accept', 'decline', 'cancel'];

/** What keeps a result from being an answer, for the questions that are known here. */
function answerProblem(method: string, answer: unknown, validate: Validator | undefined): string | undefined {
  if (!isObject(answer)) return 'it is no object';
  if (method === 'roots/list') return Array.isArray(answer.roots) ? undefined : '"roots" must be a list';
  if (method === 'sampling/createMessage') {
    const { role, content } = answer;
    return typeof role === 'string' && typeof content === 'object' && content !== null
      ? undefined
      : 'a message needs "role" and "content"';
  }
  if (method !== 'elicitation/create') return undefined;
  if (!actions.includes(answer.action as string)) return `"action" must be one of ${actions.join(', ')}`;
  if (answer.action !== 'accept' || !validate) return undefined;
  const problems = validate(answer.content ?? {});
  return problems && summary(problems);
}
