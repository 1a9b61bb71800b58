/**
 * One sessionless run: the context that its handler sees. A question ends the HTTP request with what is asked; the request
 * that brings the answers is the same run's next one.
 */
import type { IncomingMessage } from 'node:http';
import { encodeError, type Reply, type RpcContext, rpcErrors } from '../../../kernel/index.ts';
import type { InFlight } from '../../../schemas/in-flight.ts';
import { objectOf } from '../../../schemas/loose.ts';
import { parse, textOf } from '../body.ts';
import { mcpErrors } from '../errors.ts';
import { assertAnswerable, checkedAnswer } from '../sessions/answer-check.ts';
import { assertAskable } from '../sessions/askable.ts';
import type { Answer } from './answer.ts';
import { Cancellable } from './cancellable.ts';
import type { Completer, Ending } from './complete.ts';
import { envelope } from './era.ts';
import { canBeAsked, InputRequests } from './input-requests.ts';
import { sessionlessRevision } from './revision.ts';
import { digestOf, type Rounds, type Waiting } from './rounds.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Methods that may answer with a question. */
const asking: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export const mayAsk = (method: string): boolean => asking.has(method);

/** A question waits so long for others of the same turn: what a worker asks at once comes as several messages. */
const gatherMs = 5;

const nothing: Fields = Object.freeze({});

/** How long a question is open, the key that it would like to have, and what takes it back. */
type Rest = readonly [timeoutMs: number, key?: string, off?: AbortSignal];

export interface RunDeps {
  completer: Completer;
  rounds: Rounds<Run>;
  /** Who sends a request; undefined where nobody has to authenticate. */
  ownerOf(request: IncomingMessage): string | undefined;
}

export class Run extends Cancellable implements RpcContext, Waiting {
  readonly method: string;
  readonly requestId: string | number;
  readonly owner: string | undefined;
  /** Of its latest request. */
  clientInfo = nothing;
  clientCapabilities = nothing;
  readonly #deps: RunDeps;
  readonly #body: Buffer;
  /** Where its next reply goes; none while it waits for its client. */
  #answer: Answer | undefined;
  #ending: Ending | undefined;
  #inputs: InputRequests | undefined;
  #digest: string | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #cancelled = false;

  /** `body` is the request as it came: what a handler makes of its params is not what the client will repeat. */
  constructor(method: string, answer: Answer, body: Buffer, deps: RunDeps) {
    super();
    this.method = method;
    this.requestId = answer.id as string | number;
    this.#body = body;
    this.#deps = deps;
    this.owner = deps.ownerOf(answer.request);
    this.#take(answer);
  }

  get era() {
    return 'sessionless' as const;
  }

  get protocolVersion(): string {
    return sessionlessRevision;
  }

  get http(): IncomingMessage | undefined {
    return this.#answer?.request;
  }

  get session(): undefined {
    return undefined;
  }

  get digest(): string {
    this.#digest ??= digestOf(this.#params());
    return this.#digest;
  }

  notify(method: string, params: Fields): void {
    this.#answer?.notify(method, params);
  }

  request(method: string, params: Fields, timeoutMs: number, key?: string, off?: AbortSignal): Promise<unknown> {
    const asked = this.#ask(method, params, timeoutMs, key, off);
    // A handler may ask and end before it has waited for the answer.
    asked.catch(() => undefined);
    return asked;
  }

  async #ask(method: string, params: Fields, ...[timeoutMs, key, off]: Rest): Promise<unknown> {
    assertAskable(method, params, this.clientCapabilities);
    const refuse = (reason: string) => mcpErrors.UNASKABLE({ method, asked_by: this.method, reason });
    if (!canBeAsked(method)) throw refuse('without a session there is no such question');
    if (!mayAsk(this.method)) throw refuse(`only ${[...asking].join(', ')} may ask without a session`);
    if (this.#cancelled || this.#ending) throw rpcErrors.CANCELLED({ reason: `nobody waits for ${this.method}` });
    assertAnswerable(method, params);
    this.#inputs ??= new InputRequests(objectOf(this.#params().inputResponses));
    const answer = this.#inputs.ask(method, params, timeoutMs, key, off);
    this.#gather();
    return checkedAnswer(method, params, await answer);
  }

  /** Registers with who must know that it runs until its promise settles. */
  async settleWith(outcome: Promise<Reply | undefined>, running: InFlight<Run>): Promise<void> {
    const number = running.add(this);
    this.#answer?.onGone(() => this.cancel('the client went away'));
    const reply = await outcome;
    running.take(number);
    this.finish(reply);
  }

  /** Sends the answer, or keeps it until the client comes back; what a cancelled handler still returns is dropped. */
  finish(reply: Reply | undefined): void {
    if (this.#cancelled || reply === undefined) return;
    const ending = this.#deps.completer.ending(reply, this.requestId, this.method);
    clearTimeout(this.#gathering);
    this.#ending = ending;
    this.#inputs?.end(rpcErrors.CANCELLED({ reason: 'the request is answered' }));
    this.#answer?.settle(ending);
  }

  /** Goes on with the answers that `answer`'s request brought. */
  resume(answer: Answer, responses: Fields): void {
    this.#take(answer);
    answer.onGone(() => this.cancel('the client went away'));
    if (this.#ending) {
      answer.settle(this.#ending);
      return;
    }
    this.#inputs?.answer(responses);
    this.#gather();
  }

  /** Aborts the handler; whoever still waits is answered with `error`. */
  cancel(reason: string, error?: Error): void {
    if (this.#cancelled || (this.#ending && this.#answer)) return;
    this.#cancelled = true;
    clearTimeout(this.#gathering);
    this.tellCancelled(reason);
    this.#inputs?.end(rpcErrors.CANCELLED({ reason }));
    if (!error) return;
    const reply = encodeError(this.requestId, error, this.era);
    this.#answer?.settle(this.#deps.completer.ending(reply, this.requestId, this.method));
  }

  #take(answer: Answer): void {
    this.#answer = answer;
    this.clientInfo = objectOf(answer.meta[envelope.client]);
    this.clientCapabilities = objectOf(answer.meta[envelope.capabilities]);
  }

  #params(): Fields {
    return objectOf(objectOf(parse(textOf(this.#body))).params);
  }

  /** Tells the client what is asked, once nothing more is asked at the same time. */
  #gather(): void {
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => this.#suspend(), gatherMs);
  }

  #suspend(): void {
    const { completer, rounds } = this.#deps;
    if (!this.#answer || !this.#inputs || this.#inputs.size === 0) return;
    const answer = this.#answer;
    this.#answer = undefined;
    const told = { inputRequests: this.#inputs.told, requestState: rounds.keep(this) };
    const result = JSON.stringify({ resultType: 'input_required', ...told, _meta: completer.meta });
    answer.settle({ status: 200, tail: `"result":${result}}` });
  }
}
