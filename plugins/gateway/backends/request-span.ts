/** The span of a request to an instance (OpenTelemetry's conventions for MCP clients). */
import { isSvcError } from '../../../kernel/index.ts';
import { type Json, objectOf } from '../../../schemas/loose.ts';
import type { Instance } from '../../instances/api.ts';
import type { Span, SpanAttributes, TracingService } from '../../telemetry/tracing/api.ts';

/** Begins it below the request that `meta` came with; undefined while nobody takes spans, and for what is part of none. */
export function beginRequestSpan(
  tracing: TracingService | undefined,
  { instance_id, dcc_type, mcp_url }: Instance,
  method: string,
  name: unknown,
  meta: Json | undefined,
): Span | undefined {
  if (!tracing?.on || meta?.traceparent === undefined) return undefined;
  const { hostname, port } = new URL(mcp_url);
  const attributes: SpanAttributes = {
    'mcp.method.name': method,
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'server.address': hostname,
    'server.port': Number(port) || 80,
    'svc.instance.id': instance_id,
    'svc.dcc_type': dcc_type,
  };
  const target = method === 'tools/call' && typeof name === 'string' ? name : undefined;
  if (target !== undefined) {
    attributes['gen_ai.operation.name'] = 'execute_tool';
    attributes['gen_ai.tool.name'] = target;
  }
  const spanName = target === undefined ? method : `${method} ${target}`;
  return tracing.start({ name: spanName, kind: 'client', parent: meta, attributes });
}

/** Ends it with what the request answers: a result, or the text of one. */
export async function endedWith<T>(span: Span, answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    span.end(saysError(result) ? 'tool_error' : undefined);
    return result;
  } catch (error) {
    const { code } = objectOf(isSvcError(error) ? error.details.backend_error : undefined);
    if (typeof code === 'number') span.attributes['rpc.response.status_code'] = String(code);
    span.end(typeof code === 'number' ? String(code) : isSvcError(error) ? error.code : 'internal');
    throw error;
  }
}

/** A result's text is parsed only when it could. */
function saysError(result: unknown): boolean {
  if (typeof result !== 'string') return objectOf(result).isError === true;
  return result.includes('"isError":true') && objectOf(JSON.parse(result)).isError === true;
}
