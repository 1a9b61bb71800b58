/** The span of a request that passes unread (OpenTelemetry's conventions for HTTP servers): its headers alone are known. */
import type { IncomingMessage } from 'node:http';
import type { Instance } from '../../instances/api.ts';
import type { Span, TracingService } from '../../telemetry/tracing/api.ts';

export function beginPassageSpan(
  tracing: TracingService,
  { method = '', url = '', headers }: IncomingMessage,
  to: Instance,
) {
  const route = url.startsWith('/mcp/dcc/') ? '/mcp/dcc/:dcc_type' : '/mcp/:instance_id';
  return tracing.start({
    name: `${method} ${route}`,
    kind: 'server',
    parent: headers,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': 'http',
      'svc.instance.id': to.instance_id,
      'svc.dcc_type': to.dcc_type,
    },
  });
}

/** Puts its context in place of what the client sent. */
export function setContext(headers: string[], { context }: Span): void {
  for (let index = headers.length - 2; index >= 0; index -= 2) {
    if (headers[index]?.toLowerCase() === 'traceparent') headers.splice(index, 2);
  }
  headers.push('traceparent', context.traceparent);
}

/** `answered` is undefined for a client that has gone. */
export function endPassageSpan(span: Span, answered: boolean | undefined): void {
  const status = span.attributes['http.response.status_code'];
  if (answered === undefined) span.end('cancelled');
  else if (!answered) span.end('backend-error');
  else span.end(typeof status === 'number' && status >= 500 ? String(status) : undefined);
}
