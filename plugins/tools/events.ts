/** The three tool events (specification: Built-in events; CONTRACT 10.1), built only when someone listens. */
import { type EventEnvelope, type EventInput, isSvcError, type Kernel } from '../../kernel/index.ts';
import type { ToolRecord } from './api.ts';
import type { ActiveCall } from './call.ts';
import { rationaleOf } from './rationale.ts';

export type ToolErrorKind =
  | 'handler_not_found'
  | 'metadata_not_found'
  | 'validation_failed'
  | 'handler_error'
  | 'action_disabled'
  | 'thread_affinity_violation'
  | 'event_vetoed';

export interface ToolEvents {
  /** The `tool.dispatched` envelope for the veto hooks, not emitted. */
  proposal(call: ActiveCall): EventEnvelope;
  dispatched(call: ActiveCall): void;
  completed(call: ActiveCall, success: boolean): void;
  failed(call: ActiveCall, kind: ToolErrorKind, error: unknown): void;
  /** A call of a name that is no tool. */
  unknown(call: Pick<ActiveCall, 'requestId' | 'session' | 'meta'>, name: string, error: unknown): void;
}

/** `<dcc>.<skill>.<action>` without the parts that a tool does not have. */
export function toolSlug(record: Pick<ToolRecord, 'dcc' | 'skill_name' | 'action'>, dccType: string | null): string {
  return [record.dcc || dccType, record.skill_name, record.action].filter(Boolean).join('.');
}

export function createToolEvents({ bus, ids, config }: Pick<Kernel, 'bus' | 'ids' | 'config'>): ToolEvents {
  const source = config.dcc_type === null ? {} : { dcc_type: config.dcc_type };

  const attributes = ({ tool, meta }: ActiveCall): Record<string, unknown> => {
    const dcc = tool.dcc || config.dcc_type;
    const rationale = rationaleOf(meta);
    return {
      tool_slug: toolSlug(tool, config.dcc_type),
      tool_name: tool.name,
      ...(dcc && { dcc_type: dcc }),
      ...(tool.skill_name !== undefined && { skill_name: tool.skill_name }),
      ...(tool.group !== '' && { group: tool.group }),
      ...(Object.keys(tool.annotations).length > 0 && { annotations: tool.annotations }),
      ...(rationale !== undefined && { rationale }),
    };
  };

  const input = (call: Pick<ActiveCall, 'requestId' | 'session'>, values: Record<string, unknown>): EventInput => ({
    source,
    correlation: {
      ...(call.requestId !== undefined && { request_id: call.requestId }),
      ...(call.session && { session_id: call.session.id }),
    },
    attributes: values,
  });

  const duration = (call: ActiveCall): number => Math.round((performance.now() - call.began) * 1000) / 1000;

  return {
    proposal: call => ({
      schema_version: 1,
      name: 'tool.dispatched',
      id: ids.event(),
      timestamp_ns: ids.nowNs(),
      source,
      correlation: {},
      attributes: {},
      ...input(call, attributes(call)),
    }),
    dispatched(call) {
      if (bus.wants('tool.dispatched')) bus.emit('tool.dispatched', input(call, attributes(call)));
    },
    completed(call, success) {
      if (!bus.wants('tool.completed')) return;
      const values = { ...attributes(call), duration_ms: duration(call), result_success: success };
      bus.emit('tool.completed', input(call, values));
    },
    failed(call, kind, error) {
      if (!bus.wants('tool.failed')) return;
      const values = { ...attributes(call), duration_ms: duration(call), ...failure(kind, error) };
      bus.emit('tool.failed', input(call, values));
    },
    unknown(call, name, error) {
      if (!bus.wants('tool.failed')) return;
      const rationale = rationaleOf(call.meta);
      const known = { tool_slug: name, tool_name: name, ...(rationale !== undefined && { rationale }) };
      bus.emit('tool.failed', input(call, { ...known, duration_ms: 0, ...failure('metadata_not_found', error) }));
    },
  };
}

function failure(kind: ToolErrorKind, error: unknown): Record<string, unknown> {
  const { veto_code, veto_reason } = kind === 'event_vetoed' && isSvcError(error) ? error.details : {};
  return {
    result_success: false,
    error_kind: kind,
    error_message: error instanceof Error ? error.message : String(error),
    ...(kind === 'event_vetoed' && { veto_code, veto_reason }),
  };
}
