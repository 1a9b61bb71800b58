/** Reads audit rows of tool calls and aggregates them; pure. */
import { type Fields, isFields } from './server.ts';

export interface CallRow {
  tool: string;
  duration_ms: number;
  at: string | null;
  failed: boolean;
  /** Why it failed or was denied. */
  reason: string | null;
}

export interface ToolTimes {
  tool: string;
  calls: number;
  failures: number;
  p50_ms: number;
  p95_ms: number;
  max_ms: number;
  total_ms: number;
}

/** One call from an audit entry: `outcome` is "success", `{denied: {reason}}` or `{error: {message}}`. */
export function readCall(entry: Fields): CallRow {
  const outcome = entry.outcome;
  const detail = isFields(outcome) ? Object.values(outcome).find(isFields) : undefined;
  const reason = detail?.reason ?? detail?.message;
  const timestamp = entry.timestamp_ms;
  return {
    tool: typeof entry.action === 'string' ? entry.action : 'unknown',
    duration_ms: typeof entry.duration_ms === 'number' ? round(entry.duration_ms) : 0,
    at: typeof timestamp === 'number' && Math.abs(timestamp) < 8.64e15 ? new Date(timestamp).toISOString() : null,
    failed: outcome !== 'success',
    reason: outcome === 'success' ? null : typeof reason === 'string' ? reason : 'no reason recorded',
  };
}

/** Times by tool, the one that took most time in all first. */
export function timesByTool(calls: readonly CallRow[]): ToolTimes[] {
  const byTool = new Map<string, CallRow[]>();
  for (const call of calls) {
    const known = byTool.get(call.tool);
    if (known === undefined) byTool.set(call.tool, [call]);
    else known.push(call);
  }
  const rows = [...byTool].map(([tool, list]) => {
    const durations = list.map(call => call.duration_ms).sort((a, b) => a - b);
    return {
      tool,
      calls: list.length,
      failures: list.filter(call => call.failed).length,
      p50_ms: percentile(durations, 0.5),
      p95_ms: percentile(durations, 0.95),
      max_ms: durations.at(-1) ?? 0,
      total_ms: round(durations.reduce((sum, value) => sum + value, 0)),
    };
  });
  return rows.sort((a, b) => b.total_ms - a.total_ms || a.tool.localeCompare(b.tool));
}

/** Nearest rank: the least value that at least `share` of the sorted values do not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
