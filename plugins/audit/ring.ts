/**
 * The last tool calls. Recording a small event just keeps it, and its entry is made when somebody looks; an event with
 * large arguments is made into its entry at once, so that the ring keeps no payload alive.
 */
import type { Bus, EventEnvelope } from '../../kernel/index.ts';
import { isSmall, paramsText } from '../../schemas/params-text.ts';
import { callArguments } from '../../schemas/tool-event.ts';
import type { AuditEntry, AuditOutcome } from './api.ts';

export const auditCapacity = 500;

export function createAuditRing(bus: Pick<Bus, 'on' | 'emit'>, capacity = auditCapacity) {
  const ring: (AuditEntry | EventEnvelope)[] = [];
  let next = 0;

  const keep = (record: AuditEntry | EventEnvelope): void => {
    ring[next] = record;
    next = (next + 1) % capacity;
  };
  const record = (event: EventEnvelope): void => keep(isSmall(argumentsOf(event)) ? event : entryOf(event));
  const undos = [
    bus.on('tool.completed', record),
    bus.on('tool.failed', record),
    bus.on('audit.recorded', ({ attributes }) => keep(attributes)),
  ];

  return {
    append(entry: AuditEntry): void {
      const attributes = { ...entry, params_json: paramsText(entry.params_json) };
      bus.emit('audit.recorded', { attributes });
    },
    recent(limit = 50): AuditEntry[] {
      const wanted = Math.max(0, Math.min(Math.trunc(limit) || 0, capacity));
      const ordered = ring.length < capacity ? ring : [...ring.slice(next), ...ring.slice(0, next)];
      return wanted === 0 ? [] : ordered.slice(-wanted).map(asEntry);
    },
    dispose(): void {
      for (const undo of undos) void undo();
    },
  };
}

const asEntry = (record: AuditEntry | EventEnvelope): AuditEntry =>
  'schema_version' in record ? entryOf(record) : record;

const argumentsOf = ({ attributes }: EventEnvelope): unknown =>
  (attributes as Record<symbol, unknown>)[callArguments] ?? attributes.arguments ?? attributes.params_json;

function entryOf(event: EventEnvelope): AuditEntry {
  const { attributes, correlation, source } = event;
  const { agent_id, client, session_id } = correlation;
  const actor = source.actor ?? correlation.actor ?? agent_id ?? client ?? session_id;
  const args = argumentsOf(event);
  const entry: AuditEntry = {
    timestamp_ms: Math.floor(event.timestamp_ns / 1e6),
    action: String(attributes.tool_name ?? attributes.tool_slug ?? ''),
    params_json: args === undefined ? '{}' : paramsText(args),
    duration_ms: typeof attributes.duration_ms === 'number' ? attributes.duration_ms : 0,
    outcome: outcomeOf(event),
  };
  if (typeof actor === 'string') entry.actor = actor;
  return entry;
}

function outcomeOf({ name, attributes }: EventEnvelope): AuditOutcome {
  if (name === 'tool.completed' && attributes.result_success !== false) return 'success';
  if (attributes.error_kind === 'event_vetoed') {
    return { denied: { reason: String(attributes.veto_reason ?? attributes.error_message ?? 'vetoed') } };
  }
  return { error: { message: String(attributes.error_message ?? 'the tool reported a failure') } };
}
