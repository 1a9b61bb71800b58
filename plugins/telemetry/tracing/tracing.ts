/** Spans: ids, times and the context that goes on, for whoever takes them. Nothing here while nobody does. */
import type { Disposer, Ids } from '../../../kernel/index.ts';
import { traceContextOf, traceOf } from '../../../schemas/traceparent.ts';
import type { Sampling, Span, SpanInput, SpanRecord, TraceContext, TracingService } from './api.ts';

const half = 16;

/** `onFailure` is told of a taker that threw: what is traced goes on. */
export function createTracing(ids: Pick<Ids, 'uuid' | 'nowNs'>, onFailure: (error: unknown) => void): TracingService {
  const takers = new Set<(span: SpanRecord) => void>();
  let sampling: Sampling | undefined;
  let on = false;

  const changed = (): void => {
    on = sampling !== undefined || takers.size > 0;
  };

  class Started implements Span {
    readonly name: string;
    readonly kind: SpanInput['kind'];
    readonly trace_id: string;
    readonly span_id: string;
    readonly parent_span_id: string | undefined;
    readonly trace_flags: string;
    readonly trace_state: string | undefined;
    readonly link: TraceContext | undefined;
    readonly attributes: SpanInput['attributes'];
    readonly started_ns = ids.nowNs();
    duration_ns = 0;
    error_type: string | undefined;
    readonly #given: TraceContext | undefined;
    readonly #sampled: ReturnType<Sampling> | undefined;
    #ended = false;

    constructor({ name, kind, parent, link, attributes }: SpanInput) {
      const given = parent && traceContextOf(parent);
      const known = traceOf(given?.traceparent);
      this.name = name;
      this.kind = kind;
      this.#given = given;
      this.trace_id = known?.traceId ?? hex();
      this.span_id = hex().slice(half);
      this.parent_span_id = known?.spanId;
      this.trace_flags = known?.flags ?? '01';
      this.trace_state = given?.tracestate;
      this.link = link;
      this.attributes = attributes;
      this.#sampled = sampling?.(this);
      if (this.#sampled) this.trace_flags = this.#sampled.sampled ? '01' : '00';
    }

    get context(): TraceContext {
      return { ...this.#given, traceparent: `00-${this.trace_id}-${this.span_id}-${this.trace_flags}` };
    }

    end(errorType?: string): void {
      if (this.#ended) return;
      this.#ended = true;
      this.error_type = errorType;
      this.duration_ns = ids.nowNs() - this.started_ns;
      this.#sampled?.ended(this);
      for (const taker of takers) {
        try {
          taker(this);
        } catch (error) {
          onFailure(error);
        }
      }
    }
  }

  const hex = (): string => ids.uuid().replaceAll('-', '');

  return {
    get on() {
      return on;
    },
    start: input => new Started(input),
    subscribe(taker): Disposer {
      takers.add(taker);
      changed();
      return () => {
        takers.delete(taker);
        changed();
      };
    },
    sample(given): Disposer {
      if (sampling) throw new Error('spans are sampled already');
      sampling = given;
      changed();
      return () => {
        sampling = undefined;
        changed();
      };
    },
  };
}
