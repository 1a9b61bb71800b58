/** What other plugins may use of tracing: spans of what they do, and the context that ties them to those of others. */
import type { Disposer } from '../../../kernel/index.ts';
import type { TraceContext } from '../../../schemas/traceparent.ts';

export type { TraceContext };

/** Where a context may stand: the headers or the `_meta` of a request, or what another span passes on. */
export type Carrier = Readonly<Record<string, unknown>>;

/** Never an argument, a result or a text that somebody wrote: names, numbers and ids. */
export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanInput {
  name: string;
  kind: SpanKind;
  /** Without a trace in it the span begins one. */
  parent: Carrier | undefined;
  /** A context beside that of the parent. */
  link?: TraceContext | undefined;
  attributes: SpanAttributes;
}

/** What was done, from where to where. */
export interface SpanRecord {
  readonly name: string;
  readonly kind: SpanKind;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | undefined;
  /** Two hex digits; `01` where it is sampled. */
  readonly trace_flags: string;
  readonly trace_state: string | undefined;
  readonly link: TraceContext | undefined;
  readonly attributes: SpanAttributes;
  /** Nanoseconds since the epoch. */
  readonly started_ns: number;
  /** 0 until it ends. */
  readonly duration_ns: number;
  /** Class of the error that it ended with. */
  readonly error_type: string | undefined;
}

export interface Span extends SpanRecord {
  /** What is passed on to whatever is part of it. */
  readonly context: TraceContext;
  /** Ends it, once; with the class of the error if it failed. */
  end(errorType?: string): void;
}

/** Decides of each span that begins whether it is sampled; what it returns is told of the end. */
export type Sampling = (span: SpanRecord) => { sampled: boolean; ended(span: SpanRecord): void };

export interface TracingService {
  /** Whether anybody takes spans. To be asked first: nothing of a span is made while nobody does. */
  readonly on: boolean;
  start(input: SpanInput): Span;
  /** Takes every span as it ends, sampled or not. */
  subscribe(taker: (span: SpanRecord) => void): Disposer;
  /** Samples spans; one at a time. */
  sample(sampling: Sampling): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    tracing: TracingService;
  }
}
