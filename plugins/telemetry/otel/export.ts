/** Spans to an OpenTelemetry collector, with the official SDK: it samples, queues within bounds, and sends in batches. */
import { type Context, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { type Logger, packageVersion } from '../../../kernel/index.ts';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import { traceOf } from '../../../schemas/traceparent.ts';
import type { SpanAttributes, SpanRecord, TracingService } from '../tracing/api.ts';
import type { Target } from './target.ts';
import { tellingOnce } from './telling-once.ts';

export interface ExportParts {
  target: Target;
  tracing: TracingService;
  /** What the spans are of, unless the environment says otherwise. */
  about: Record<string, string>;
  /** What counts more than the environment. */
  fixed: Record<string, string>;
  flushMs: number;
  log: Pick<Logger, 'info' | 'warn'>;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Exports from now on; what it returns stops that, after what waits is sent or its time is over. */
export function openExport({ target, tracing, about, fixed, flushMs, log }: ExportParts) {
  const exporter = tellingOnce(exporterOf(target), target.url.origin, log);
  /** The one that begins: its ids are those that it has already. */
  let beginning: Pick<SpanRecord, 'trace_id' | 'span_id'> = { trace_id: '', span_id: '' };
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ ...about, 'service.version': packageVersion }))
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(fixed)),
    spanProcessors: [new BatchSpanProcessor(exporter)],
    idGenerator: { generateTraceId: () => beginning.trace_id, generateSpanId: () => beginning.span_id },
  });
  const tracer = provider.getTracer('svc', packageVersion);

  const undo = tracing.sample(span => {
    beginning = span;
    const options = { kind: kinds[span.kind], startTime: timeOf(span.started_ns), links: linksOf(span) };
    const started = tracer.startSpan(withoutSecrets(span.name), options, parentOf(span));
    return {
      sampled: (started.spanContext().traceFlags & 1) === 1,
      ended({ attributes, error_type, started_ns, duration_ns }) {
        if (!started.isRecording()) return;
        started.setAttributes(cleaned(attributes));
        if (error_type !== undefined) {
          started.setAttribute('error.type', error_type);
          started.setStatus({ code: SpanStatusCode.ERROR });
        }
        started.end(timeOf(started_ns + duration_ns));
      },
    };
  });

  return async (): Promise<void> => {
    await undo();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, flushMs);
    });
    // What could not be sent has been told.
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  };
}

function exporterOf({ url, protocol }: Target): SpanExporter {
  const options = { url: url.href };
  return protocol === 'http/json' ? new JsonExporter(options) : new ProtobufExporter(options);
}

/** Below which span it begins. What a tracestate says is for others, and stays out of what is exported. */
function parentOf({ trace_id, parent_span_id, trace_flags, kind }: SpanRecord): Context {
  if (parent_span_id === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(trace_flags, 16);
  const isRemote = kind === 'server';
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: trace_id, spanId: parent_span_id, traceFlags, isRemote });
}

function linksOf({ link }: SpanRecord): Link[] {
  const known = traceOf(link?.traceparent);
  if (!known) return [];
  const { traceId, spanId, flags } = known;
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } }];
}

/** Names and ids come from callers: what looks like a credential is none of a name. */
function cleaned(attributes: SpanAttributes): SpanAttributes {
  const entries = Object.entries(attributes);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? withoutSecrets(value) : value]),
  );
}

const timeOf = (ns: number): [seconds: number, nanoseconds: number] => [Math.floor(ns / 1e9), ns % 1e9];
