/** What other plugins may use of the connections to the instances behind the gateway. */
import type { Disposer, SvcError } from '../../../kernel/index.ts';
import type { Json } from '../../../schemas/loose.ts';
import type { TraceContext } from '../../../schemas/traceparent.ts';
import type { Instance } from '../../instances/api.ts';
import type { Failure } from './failure.ts';
import type { HttpHop } from './http/api.ts';

/** As much of an AbortSignal as a call needs; a real one costs more than a small call. */
export interface Abortable {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface CallOptions {
  /** Deadline for the whole answer; `request_timeout_ms` by default. */
  timeoutMs?: number;
  /** Aborting rejects with SVC_RPC_CANCELLED and tells the instance. */
  signal?: Abortable | undefined;
}

export type NotificationReceiver = (method: string, params: Record<string, unknown>) => void;

/** Answers a question that an instance has for the client behind a request; rejects with why nobody does. */
export type Answering = (method: string, params: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;

export interface RequestOptions extends CallOptions {
  /** A read: repeated once or twice when the connection fails. A call never is. */
  idempotent?: boolean;
  /** Takes the notifications of this request's own answer stream (progress); without it they go to everyone. */
  onNotification?: NotificationReceiver | undefined;
  /** Answers what the instance asks meanwhile; the deadline stands still for as long. */
  onQuestion?: Answering | undefined;
  /** Told beside the message, where its way has room for that. */
  trace?: TraceContext | undefined;
}

export interface RawCallOptions extends Omit<RequestOptions, 'idempotent'> {
  /** Told the members of the message, but for its id, before it goes out. */
  onSending?: ((members: string) => void) | undefined;
}

/** One of a stream of events that an instance tells. */
export interface StreamEvent {
  event?: string;
  id?: string;
  data: string;
}

export type BackendState = 'connected' | 'reconnected' | 'lost';
export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * The connections to one instance. Everything that fails rejects with an error of the table whose details name the
 * instance (`backend`, `instance_id`, `dcc_type`) and say whether it is worth another try (`retryable`).
 */
export interface Backend {
  readonly instance: Instance;
  readonly instance_id: string;
  /** Calls that have no answer yet, the proxy's included. */
  readonly in_flight: number;
  /** What the last probe of its readiness said; null before the first, and where it does not say. */
  readonly ready: boolean | null;
  readonly circuit: CircuitState;
  /** Whether the instance has gone: nothing can be asked of it any more. */
  readonly closed: boolean;
  /**
   * One JSON-RPC request in the gateway's own MCP session, which is opened on first need and again after a restart.
   * Resolves with `result`; the instance's own error rejects as SVC_BACKENDS_RPC_ERROR under its own number.
   */
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<unknown>;
  /**
   * tools/call whose arguments and result stay text. `argumentsJson` must be a complete JSON object; what it resolves
   * with is the `result` member as the instance wrote it.
   */
  callRaw(
    name: string,
    argumentsJson: string,
    meta: Record<string, unknown> | undefined,
    options?: RawCallOptions,
  ): Promise<string>;
  /** Records of the last jobs of the instance, the newest first. */
  jobs(limit: number): Promise<readonly Json[]>;
  /** The events of a job of the instance; breaking off the iteration or aborting closes them. */
  jobEvents(jobId: string, signal: AbortSignal): Promise<AsyncIterable<StreamEvent>>;
  /** False for a job that the instance does not know. */
  cancelJob(jobId: string): Promise<boolean>;
  /** The way for HTTP as it is; undefined for an instance that is not reached over HTTP. */
  readonly hop: HttpHop | undefined;
  /**
   * Takes one of the places of calls in flight, for who uses the hop. Throws SVC_BACKENDS_BUSY or
   * SVC_BACKENDS_CIRCUIT_OPEN. Every `enter` is followed by one `leave` that says whether the instance answered.
   */
  enter(): void;
  leave(answered: boolean | undefined): void;
  /** What a failure while `what` was asked is in the error table; the directory is told of it. */
  errorFor(failure: Failure, what: string): SvcError;
}

/** Attributes of `internal.backend.notified`. */
export type BackendNotification = {
  instance_id: string;
  instance_short: string;
  method: string;
  params: Record<string, unknown>;
};

export interface BackendsService {
  /** How often a read is repeated where its connection fails; failures in a row that open a circuit, and for how long. */
  readonly limits: { readonly readRetries: number; readonly circuit: { failures: number; openMs: number } };
  /** Answers what instances ask on their standing streams. */
  onQuestion(answer: (instance_id: string, ...question: Parameters<Answering>) => Promise<unknown>): Disposer;
  /** By id, short id or unique prefix; throws as `instances.resolve` does. */
  get(instance_id: string): Backend;
  /** The same, also while the instance is stale, booting or unreachable: for what must work before a host is ready. */
  known(instance_id: string): Backend;
  /** Those of live instances. */
  list(): readonly Backend[];
  /** Live instances of a host type, whatever its spelling in upper and lower case; cached between changes. */
  ofType(dcc_type: string): readonly Backend[];
}

declare module 'fastify' {
  interface FastifyInstance {
    backends: BackendsService;
  }
}
