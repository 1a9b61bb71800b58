/** The span of a request over REST (OpenTelemetry's conventions for HTTP servers). */
import type { IncomingHttpHeaders } from 'node:http';
import { objectOf } from '../../schemas/loose.ts';
import { traceContextOf } from '../../schemas/traceparent.ts';
import type { Span, TracingService } from '../telemetry/tracing/api.ts';
import type { Correlation } from './correlation.ts';

/** Begins it below what the headers name, or the meta of the body, as MCP has it. */
export function beginRequestSpan(
  tracing: TracingService,
  method: string,
  route: string,
  headers: IncomingHttpHeaders,
  body: unknown,
): Span {
  const { meta, _meta } = objectOf(body);
  return tracing.start({
    name: `${method} ${route}`,
    kind: 'server',
    parent: traceContextOf(headers) ?? objectOf(meta ?? _meta),
    attributes: { 'http.request.method': method, 'http.route': route, 'url.scheme': 'http' },
  });
}

/** Ends it with the status of the answer; `failed`: with what a tool reported. */
export function endRequestSpan(span: Span, status: number, failed: boolean): void {
  span.attributes['http.response.status_code'] = status;
  span.end(status >= 500 ? String(status) : failed ? 'tool_error' : undefined);
}

/** The request and its span told as one. */
export const tied = ({ requestId, arrived }: Correlation, { trace_id, context }: Span): Correlation => ({
  requestId,
  arrived,
  traceId: trace_id,
  traceparent: context.traceparent,
});
