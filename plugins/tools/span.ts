/** The span of a tool's handler (OpenTelemetry's conventions for tools that an agent executes). */
import { isGateway } from '../../schemas/on-behalf.ts';
import type { SpanAttributes, TracingService } from '../telemetry/tracing/api.ts';
import type { Call } from './call.ts';

/**
 * Begins it below the request that the call came with; the handler finds it in the meta of its call. None for what a
 * gateway asks by itself.
 */
export function beginSpan(tracing: TracingService, call: Call): void {
  if (call.meta.traceparent === undefined && call.session && isGateway(call.session.clientCapabilities)) return;
  const { name, skill_name, source } = call.tool;
  const attributes: SpanAttributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'svc.tool.source': source,
  };
  if (skill_name !== undefined) attributes['svc.skill.name'] = skill_name;
  if (call.job !== undefined) attributes['svc.job.id'] = call.job;
  call.span = tracing.start({ name: `execute_tool ${name}`, kind: 'internal', parent: call.meta, attributes });
  call.meta = { ...call.meta, ...call.span.context };
}
