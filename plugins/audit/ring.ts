/** The last tool calls. Recording stores the event; an entry is built from it when somebody looks. */
import type { Disposer, EventEnvelope } from '../../kernel/index.ts';
import type { AuditEntry, AuditOutcome, AuditService } from './api.ts';
import { paramsText } from './params.ts';

export const auditCapacity = 500;

export interface AuditRing extends AuditService {
  /** Takes a `tool.completed` or `tool.failed` event. */
  record(event: EventEnvelope): void;
}

type Kept = { event: EventEnvelope; params: string } | { entry: AuditEntry };

export function createAuditRing(onFailure: (error: unknown) => void, capacity = auditCapacity): AuditRing {
  const ring: Kept[] = [];
  const listeners = new Set<(entry: AuditEntry) => void>();
  let next = 0;

  const keep = (record: Kept): void => {
    ring[next] = record;
    next = (next + 1) % capacity;
    for (const listener of listeners) {
      try {
        listener(entryOf(record));
      } catch (error) {
        onFailure(error);
      }
    }
  };

  return {
    append: entry => keep({ entry: { ...entry, params_json: paramsText(entry.params_json) } }),
    record(event) {
      // The arguments are shortened now, so that the ring never keeps a large payload alive.
      const { arguments: args, params_json } = event.attributes;
      const given = args ?? params_json;
      keep({ event, params: given === undefined ? '{}' : paramsText(given) });
    },
    recent(limit = 50) {
      const wanted = Math.max(0, Math.min(Math.trunc(limit) || 0, capacity));
      const ordered = ring.length < capacity ? ring : [...ring.slice(next), ...ring.slice(0, next)];
      return wanted === 0 ? [] : ordered.slice(-wanted).map(entryOf);
    },
    onRecord(callback): Disposer {
      const listener = (entry: AuditEntry): void => callback(entry);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function entryOf(record: Kept): AuditEntry {
  if ('entry' in record) return record.entry;
  const { event, params } = record;
  const { attributes, correlation, source } = event;
  const actor = [source.actor, correlation.actor, correlation.session_id].find(each => typeof each === 'string');
  return {
    timestamp_ms: Math.floor(event.timestamp_ns / 1e6),
    ...(typeof actor === 'string' && { actor }),
    action: String(attributes.tool_name ?? attributes.tool_slug ?? ''),
    params_json: params,
    duration_ms: typeof attributes.duration_ms === 'number' ? attributes.duration_ms : 0,
    outcome: outcomeOf(event),
  };
}

function outcomeOf({ name, attributes }: EventEnvelope): AuditOutcome {
  if (name === 'tool.completed' && attributes.result_success !== false) return 'success';
  if (attributes.error_kind === 'event_vetoed') {
    return { denied: { reason: String(attributes.veto_reason ?? attributes.error_message ?? 'vetoed') } };
  }
  return { error: { message: String(attributes.error_message ?? 'the tool reported a failure') } };
}
