/** The recorded calls over time, for charts and for spreadsheets. Pure. */
import type { Json } from '../../schemas/loose.ts';
import type { AuditRow } from '../audit/records/api.ts';
import { statsOf } from './stats.ts';

export const analyticsRanges = ['7d', '30d', '90d', '180d', '365d'];

/** What the range amounts to, and who took part in it. */
export function overviewOf(rows: readonly AuditRow[], range: string): Json {
  const { top_tools, top_agents, token_usage, payload_token_usage: _, ...totals } = statsOf(rows);
  const different = (of: (row: AuditRow) => string | undefined): number =>
    new Set(rows.flatMap(each => of(each) ?? [])).size;
  return {
    range,
    ...totals,
    active_tools: different(each => each.action),
    active_skills: different(each => each.skill_name),
    active_agents: different(each => each.agent_id ?? each.agent_name),
    active_instances: different(each => each.instance_id),
    active_sessions: different(each => each.session_id),
    ...{ top_tools, top_agents },
    by_transport: token_usage.by_transport,
  };
}

/** Calls by weekday (0 is Sunday) and hour, in UTC. */
export function heatmapOf(rows: readonly AuditRow[], range: string): Json {
  const calls = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { timestamp } of rows) {
    const at = new Date(timestamp);
    const day = calls[at.getUTCDay()];
    if (day) day[at.getUTCHours()] = (day[at.getUTCHours()] ?? 0) + 1;
  }
  return { range, timezone: 'UTC', total_calls: rows.length, most: Math.max(0, ...calls.flat()), calls };
}

const columns = [
  ...['timestamp', 'request_id', 'tool', 'skill_name', 'dcc_type', 'instance_id', 'session_id', 'agent_id'],
  ...['transport', 'success', 'error_kind', 'duration_ms', 'original_tokens', 'returned_tokens', 'saved_tokens'],
];

/** A line for each call, as JSON or for a spreadsheet. */
export function exportOf(rows: readonly AuditRow[], format: 'json' | 'csv'): { text: string; type: string } {
  const lines = rows.map(({ action, token_accounting, ...row }) => {
    const known: Json = { ...row, tool: action, ...token_accounting };
    return Object.fromEntries(columns.map(each => [each, known[each] ?? null]));
  });
  if (format === 'json') {
    return { text: lines.map(each => `${JSON.stringify(each)}\n`).join(''), type: 'application/x-ndjson' };
  }
  const text = [columns, ...lines.map(Object.values)].map(each => `${each.map(cell).join(',')}\r\n`).join('');
  return { text, type: 'text/csv; charset=utf-8' };
}

/** What begins like a formula would be one for a spreadsheet, and the names of tools are anybody's. */
function cell(value: unknown): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
