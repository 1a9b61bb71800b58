/** How far the gateway can be relied on, and by which rules it lets calls through. Pure. */
import type { Json } from '../../schemas/loose.ts';
import { redacted } from '../../schemas/redaction.ts';
import type { AuditRow } from '../audit/records/api.ts';
import { statsOf } from './stats.ts';

export interface Reliability {
  now: number;
  health: Json;
  rows: readonly AuditRow[];
  /** Of the tools that are known: all, those whose skill is loaded, those that can be called at once. */
  tools: { loaded: boolean; callable: boolean; slug: string; skill_name: string | null }[];
  backends: readonly { instance_short: string; dcc_type: string; circuit: string; ready: boolean | null }[];
}

export function reliabilityOf({ now, health, rows, tools, backends }: Reliability): Json {
  const { status, uptime_secs, version, rss_bytes, gateway, limits, circuits } = health;
  const { total_calls, failed_calls, success_rate, latency_ms, errors_by_kind } = statsOf(rows);
  const called = new Set(rows.map(each => each.action));
  const unwell = backends.filter(each => each.circuit !== 'closed' || each.ready === false);
  const count = (wanted: (tool: Reliability['tools'][number]) => boolean): number => tools.filter(wanted).length;
  return {
    generated_at: new Date(now).toISOString(),
    status: unwell.length > 0 && status === 'ok' ? 'degraded' : status,
    ...{ uptime_secs, version, rss_bytes, gateway, limits, circuits },
    // From what there is to what is used: where it narrows, agents do not find what they need.
    capability_funnel: {
      skills: new Set(tools.flatMap(each => each.skill_name ?? [])).size,
      tools_known: tools.length,
      tools_loaded: count(each => each.loaded),
      tools_callable: count(each => each.callable),
      tools_called: count(each => called.has(each.slug)),
      ...{ calls: total_calls, calls_succeeded: total_calls - failed_calls },
    },
    // Nothing that a gateway passes on is verified by it.
    artifact_verification: { state: 'not_available' },
    stability: { range: '24h', total_calls, failed_calls, success_rate, latency_ms, errors_by_kind, unwell },
  };
}

export interface Governance {
  /** Settings of the gateway. */
  settings: Json;
  /** How the capture fares; undefined without one. */
  capture: object | undefined;
  rows: readonly AuditRow[];
}

/** Kinds of failures that a rule decided, not a tool. */
const decided: Readonly<Record<string, string>> = {
  event_vetoed: 'policy_file_or_hook',
  'policy-denied': 'gateway_policy',
  'instance-leased': 'lease',
  'lease-owner-mismatch': 'lease',
  'rate-limited': 'quota',
  unauthorized: 'authentication',
  forbidden: 'authentication',
};
const mostDecisions = 50;

const isDecided = ({ error_kind }: AuditRow): boolean => error_kind !== undefined && error_kind in decided;

/** How many calls were denied, and by what. */
export function decisionsIn(rows: readonly AuditRow[]): Json {
  const by: Record<string, number> = {};
  for (const { error_kind = '' } of rows.filter(isDecided)) {
    const name = decided[error_kind] ?? '';
    by[name] = (by[name] ?? 0) + 1;
  }
  return { denied: Object.values(by).reduce((sum, each) => sum + each, 0), by };
}

export function governanceOf({ settings, capture, rows }: Governance): Json {
  const told = (name: string): unknown => settings[name] ?? null;
  const decisions = rows.filter(isDecided);
  return {
    policy: {
      read_only: told('gateway_read_only'),
      allowed_dcc_types: told('gateway_allowed_dcc_types'),
      allowed_skills: told('gateway_allowed_skills'),
      allowed_tools: told('gateway_allowed_tools'),
      policy_file: settings.policy_file ? 'configured' : 'not_configured',
    },
    capture: capture ?? { state: 'off' },
    redaction: {
      mode: 'default',
      applies_to: ['audit', 'traces', 'traffic', 'logs', 'issue_reports'],
      what: 'credentials by name and by form, before anything is written or shown',
    },
    quota: {
      max_request_body_bytes: told('max_request_body_bytes'),
      max_result_bytes: told('max_result_bytes'),
      audit_max_rows: told('gateway_audit_max_rows'),
      audit_max_bytes: told('gateway_audit_max_bytes'),
    },
    recent_decisions: decisions.slice(0, mostDecisions).map(each => ({
      ...{ timestamp: each.timestamp, request_id: each.request_id, tool: each.action, dcc_type: each.dcc_type ?? null },
      ...{ agent_id: each.agent_id ?? null, decision: 'denied', by: decided[each.error_kind ?? ''] },
      reason: redacted(each.error ?? null),
    })),
  };
}
