/** One running tool call as its handler sees it. A class with lazy getters: a call that uses nothing pays for nothing. */
import type { IncomingMessage } from 'node:http';
import { inspect } from 'node:util';
import { type Disposer, type RpcContext, type RpcSession, rpcErrors, type SvcError } from '../../kernel/index.ts';
import { type Ask, type AskOptions, asking } from '../../schemas/asking.ts';
import type { Span } from '../telemetry/tracing/api.ts';
import type { CallInput, ToolCall, ToolHandler, ToolRecord } from './api.ts';
import { Questions } from './asking.ts';
import { toolErrors } from './errors.ts';
import type { RegisteredTool } from './tool-table.ts';

const defaultRetryMs = 1000;
const noMeta: Readonly<Record<string, unknown>> = Object.freeze({});

export class Call implements ToolCall {
  readonly registered: RegisteredTool;
  /** Its record and its handler as of the moment of the call. */
  readonly tool: ToolRecord;
  readonly handler: ToolHandler | undefined;
  readonly rpc: RpcContext | undefined;
  /** With the context of its span, once it has one. */
  meta: Readonly<Record<string, unknown>>;
  /** Of its handler, while somebody takes spans. */
  span: Span | undefined;
  /** 0: none. */
  readonly timeoutMs: number;
  deadline: number | undefined;
  /** Monotonic start, for durations. */
  readonly began = performance.now();
  readonly requestId: string | number | undefined;
  readonly session: RpcSession | undefined;
  aside: ToolCall['aside'];
  /** Set once the call is answered: nothing is sent for it any more. */
  closed = false;
  #input: CallInput;
  #controller: AbortController | undefined;
  #reason: unknown;
  #listening = false;
  #listeners: Set<(reason: unknown) => unknown> | undefined;
  #lastProgress: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timeout: ((heldUp?: string) => SvcError) | undefined;
  #giveUp: ((error: SvcError) => void) | undefined;
  /** The call that a background job was made of. */
  #origin: Call | undefined;
  #questions: Questions | undefined;

  /** `now` is the clock's time; `timeoutMs` 0 means no deadline. A background job runs on behalf of the `origin` call. */
  constructor(registered: RegisteredTool, input: CallInput, now: number, timeoutMs: number, origin?: Call) {
    const { rpc } = input;
    this.registered = registered;
    this.tool = origin ? origin.tool : registered.record;
    this.handler = origin ? origin.handler : registered.handler;
    this.timeoutMs = timeoutMs;
    this.#input = input;
    this.rpc = rpc;
    this.meta = input.meta ?? noMeta;
    this.deadline = timeoutMs > 0 ? now + timeoutMs : undefined;
    this.requestId = rpc ? rpc.requestId : origin?.requestId;
    this.session = rpc ? rpc.session : origin?.session;
    this.#origin = origin;
  }

  get args(): Record<string, unknown> {
    return this.#input.args;
  }

  get http(): IncomingMessage | undefined {
    return this.rpc?.http ?? this.#input.http;
  }

  get job(): string | undefined {
    return this.#input.job;
  }

  get graceMs(): number {
    return this.#input.graceMs ?? 0;
  }

  get internal(): boolean {
    return this.#input.internal === true;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    this.#controller = new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    else this.#listen();
    return this.#controller.signal;
  }

  onAbort(listener: (reason: unknown) => unknown): Disposer {
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return () => undefined;
    }
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(listener);
    this.#listen();
    return () => void listeners.delete(listener);
  }

  /** Bound, as `log` is: a handler may take both apart from its call, in either spawn mode. */
  get progress(): ToolCall['progress'] {
    return (progress, total, message) => this.#report(progress, total, message);
  }

  get log(): ToolCall['log'] {
    return (level, data) => this.#say(level, data);
  }

  get closeStream(): ToolCall['closeStream'] {
    return (retryMs = defaultRetryMs) => {
      if (!this.closed) this.rpc?.closeStream?.(Math.max(0, Math.round(retryMs) || 0));
    };
  }

  get ask(): Ask {
    return asking(this.#ask.bind(this)).ask;
  }

  get elicit(): ToolCall['elicit'] {
    return asking(this.ask).elicit;
  }

  get sample(): ToolCall['sample'] {
    return asking(this.ask).sample;
  }

  get roots(): ToolCall['roots'] {
    return asking(this.ask).roots;
  }

  /** The deadline stands still while a question is open: nobody answers faster because it nears. */
  async #ask(method: string, params: Record<string, unknown> = {}, options: AskOptions = {}): Promise<unknown> {
    if (this.closed) throw toolErrors.CANNOT_ASK({ method, reason: 'its call has been answered' });
    this.#questions ??= new Questions();
    const questions = this.#questions;
    if (this.#reason !== undefined) questions.end(this.#reason);
    else clearTimeout(this.#timer);
    this.#listen();
    const client = this.#client();
    const stood = questions.stoodMs;
    try {
      return await questions.ask({ ask: this.#input.ask, client }, method, this.#told(params), options);
    } finally {
      this.#goOn(questions.stoodMs - stood);
    }
  }

  /** A job's client is asked through the request that it was made of; without a session only while that is open. */
  #client(): RpcContext | undefined {
    if (this.rpc || !this.#origin) return this.rpc;
    const { closed, rpc } = this.#origin;
    return closed && rpc?.era === 'sessionless' ? undefined : rpc;
  }

  /** A question of a job names it, for who passes it on. */
  #told(params: Record<string, unknown>): Record<string, unknown> {
    if (this.job === undefined || !this.#origin) return params;
    return { ...params, _meta: { ...(params._meta as object | undefined), dcc: { jobId: this.job } } };
  }

  /** The request on whose stream the client hears of it: a job's while that one is not answered. */
  get #request(): RpcContext | undefined {
    return this.rpc ?? (this.#origin?.closed === false ? this.#origin.rpc : undefined);
  }

  /** The deadline runs again, later by as long as it stood. */
  #goOn(stoodMs: number): void {
    const questions = this.#questions;
    if (this.deadline === undefined || this.closed || this.#reason !== undefined || questions?.open !== false) return;
    this.deadline += stoodMs;
    this.#arm(this.timeoutMs + questions.stoodMs - (performance.now() - this.began));
  }

  #arm(leftMs: number): void {
    const timeout = this.#timeout;
    if (!timeout) return;
    this.#timer = setTimeout(() => this.abort(timeout(), false, timeout), Math.max(1, leftMs));
    this.#timer.unref();
  }

  #report(progress: number, total?: number, message?: string): void {
    if (this.closed || !Number.isFinite(progress)) return;
    if (this.#lastProgress !== undefined && progress <= this.#lastProgress) return;
    this.#lastProgress = progress;
    this.#input.onProgress?.(progress, total, message);
    const { progressToken } = this.meta;
    const rpc = this.#request;
    if (rpc === undefined || !isProgressToken(progressToken)) return;
    rpc.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }

  #say(level: Parameters<ToolCall['log']>[0], data: unknown): void {
    if (this.closed) return;
    const rpc = this.#request;
    if (rpc) rpc.notify('notifications/message', { level, logger: this.tool.name, data: sendable(data) });
    else this.#input.onLog?.(level, sendable(data));
  }

  /** Starts the one timer of an asynchronous call; `giveUp` is told when the deadline passes or the caller cancels. */
  watch(timeout: (heldUp?: string) => SvcError, giveUp: (error: SvcError) => void): void {
    this.#giveUp = giveUp;
    if (this.timeoutMs > 0) {
      this.#timeout = timeout;
      if (!this.#questions?.open) this.#arm(this.timeoutMs);
    }
    // A handler that looks at its signal is cancelled through it; a caller's own signal counts in any case.
    if (this.#input.signal) this.#listen();
    if (this.#reason !== undefined) this.abort(this.#reason as SvcError);
  }

  /** Gives the call up: its signal aborts, its caller gets `error`, unless the handler ends within its grace. */
  abort(error: SvcError, atOnce = false, late?: (heldUp: string) => SvcError): void {
    if (this.closed) return;
    this.#reason ??= error;
    this.#controller?.abort(this.#reason);
    this.#questions?.end(this.#reason);
    const heldUp = this.#tell();
    if (late && heldUp !== undefined) this.#reason = late(heldUp);
    const { graceMs } = this;
    if (atOnce || graceMs <= 0) {
      this.#giveUp?.(this.#reason as SvcError);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp?.(this.#reason as SvcError), graceMs);
    this.#timer.unref();
  }

  /** The error that the call was given up with; an AbortError thrown by a handler means this one. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Ends the call: the timer and the listeners go, later progress is dropped. */
  close(): void {
    this.closed = true;
    clearTimeout(this.#timer);
    this.#questions?.end();
    if (this.#listening) this.#input.signal?.removeEventListener('abort', this);
  }

  /** A parent signal aborted. The call itself is the listener, so that it needs no closure. */
  handleEvent(): void {
    const tool = this.tool.name;
    this.abort(rpcErrors.CANCELLED({ reason: `the call of tool "${tool}" was cancelled`, tool }));
  }

  /** Hears of the caller's cancellation from now on; a call that nobody would tell never listens. */
  #listen(): void {
    if (this.#listening || this.closed) return;
    this.#listening = true;
    const { signal, rpc } = this.#input;
    if (signal?.aborted) this.handleEvent();
    else signal?.addEventListener('abort', this, { once: true });
    rpc?.onCancel(() => this.handleEvent());
  }

  /** What held the call up, when one of those who are told knows it. */
  #tell(): string | undefined {
    const listeners = this.#listeners;
    this.#listeners = undefined;
    let heldUp: string | undefined;
    for (const listener of listeners ?? []) {
      const told = listener(this.#reason);
      if (typeof told === 'string') heldUp = told;
    }
    return heldUp;
  }
}

export function isProgressToken(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

/** Log data that surely has a JSON form. */
function sendable(data: unknown): unknown {
  if (typeof data === 'string') return data;
  try {
    return JSON.stringify(data) === undefined ? inspect(data) : data;
  } catch {
    return inspect(data);
  }
}
