/**
 * What a driver owes the backends: the way of messages to an instance and back. What is said, who may ask and what a
 * failure means to a caller are no affair of a driver; how messages travel is no affair of anybody else.
 */
import type { Json } from '../../../schemas/loose.ts';
import type { Readiness } from '../../../schemas/readiness.ts';
import type { TraceContext } from '../../../schemas/traceparent.ts';
import type { Instance } from '../../instances/api.ts';
import type { Answer, ForeignError } from './answer.ts';
import type { Abortable, StreamEvent } from './api.ts';
import type { Failure } from './failure.ts';
import type { HttpHop } from './http/api.ts';
import type { Hold } from './questions.ts';

export interface Driver {
  /** Where the instance is, as its row says it; undefined when this driver has no way there. Throws for nonsense. */
  addressOf(instance: Instance): string | undefined;
  connect(instance: Instance, parts: LinkParts): Link;
}

export interface LinkParts {
  /** The largest answer. */
  maxBytes: number;
  /** Takes notifications and requests of the instance. */
  onMessage(message: Record<string, unknown>): void;
}

/** The way to one instance. Nothing rejects: what goes wrong is a `Failure`. */
export interface Link {
  /** Sends `initialize`; the session is what follows it. */
  open(initialize: Posting): Promise<Opening>;
  /** Whether somebody is there, and ready; `foreign` leaves it to be asked in MCP. */
  probe(timeoutMs: number): Promise<Finding | Foreign>;
  /** Ends everything with `gone`; with `drainMs` what is under way may end first. */
  close(gone: Error, drainMs?: number): Promise<void>;
  /** The way for HTTP as it is, of a driver that speaks HTTP. */
  readonly hop?: HttpHop;
  /** The REST twin's routes for jobs, of a driver that has them. */
  readonly jobs?: JobDoor;
}

export type Opening = { session: LinkSession } | { failure: Failure } | { error: ForeignError };

/** An MCP session of the gateway with an instance, as far as its driver holds it. */
export interface LinkSession {
  /** Sends one message; resolves with its answer, or with an empty one when there is nothing to answer. */
  post(posting: Posting): Promise<Posted>;
  /** Keeps open what messages come by that nobody asked for, until it ends or `signal` aborts. */
  listen(listening: { signal: AbortSignal; onOpen(): void }): Promise<ListenEnd>;
  /** Ends it over there, so that it does not linger; a short try. */
  end(timeoutMs: number): Promise<void>;
}

/** `forgotten`: the session is; `refused`: perhaps for that; `over`: this session has no such thing. */
export type ListenEnd = 'ended' | 'forgotten' | 'refused' | 'over';

export interface Posting {
  /** Request id; undefined for a notification or a response. */
  id: number | undefined;
  body: string;
  timeoutMs: number;
  signal?: Abortable | undefined;
  trace?: TraceContext | undefined;
  /** Takes the messages that come on the answer's own stream, where there is such a thing. */
  onMessage?: ((message: Record<string, unknown>, hold: Hold) => void) | undefined;
}

export interface Posted extends Answer {
  /** The instance does not know the session any more: open another and send it again. */
  readonly forgotten?: boolean;
  /** A refusal of which only another request in the session tells whether it is about the session. */
  readonly doubtful?: boolean;
}

export type Finding =
  | { kind: 'reachable'; readiness?: Readiness; ready: boolean | null }
  /** `certain` needs no second try. */
  | { kind: 'unreachable'; message: string; certain: boolean };

/** A server that has no readiness to tell; `message` says what it answered instead. */
export interface Foreign {
  readonly kind: 'foreign';
  readonly message: string;
}

export interface JobDoor {
  /** Records of the last jobs; none of an instance that has no such list. */
  list(limit: number, timeoutMs: number): Promise<readonly Json[] | Failure>;
  /** The events of a job, as fast as they are taken; a stream that breaks off ends. */
  events(jobId: string, options: { signal: AbortSignal; timeoutMs: number }): Promise<JobEvents | Failure>;
  /** False for a job that the instance does not know. */
  cancel(jobId: string, timeoutMs: number): Promise<boolean | Failure>;
}

export type JobEvents = AsyncIterable<StreamEvent>;
