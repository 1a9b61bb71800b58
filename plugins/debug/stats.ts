/** What the recorded calls amount to. Pure. */
import type { Json } from '../../schemas/loose.ts';
import { quantile } from '../../schemas/quantile.ts';
import type { AuditRow } from '../audit/records/api.ts';

const most = 10;

interface Tally {
  calls: number;
  failed: number;
  original_tokens: number;
  returned_tokens: number;
  saved_tokens: number;
}

const none = (): Tally => ({ calls: 0, failed: 0, original_tokens: 0, returned_tokens: 0, saved_tokens: 0 });

export function statsOf(rows: readonly AuditRow[]) {
  const all = none();
  const groups = {
    by_tool: tallies(),
    by_instance: tallies(),
    by_agent: tallies(),
    by_transport: tallies(),
    by_response_format: tallies(),
  };
  for (const row of rows) {
    const { token_accounting: tokens, action, instance_id, agent_id, agent_name, transport } = row;
    const into = [
      all,
      groups.by_tool(action),
      groups.by_instance(instance_id),
      groups.by_agent(agent_id ?? agent_name),
      groups.by_transport(transport),
      groups.by_response_format(tokens?.response_format),
    ];
    for (const each of into) count(each, row);
  }
  const times = rows.flatMap(each => each.duration_ms ?? []).sort((a, b) => a - b);
  const at = (part: number): number => quantile(times, part) ?? 0;
  const { calls, failed, ...tokens } = all;
  const usage = Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.largest()]));
  return {
    total_calls: calls,
    successful_calls: calls - failed,
    failed_calls: failed,
    success_rate: calls === 0 ? null : Math.round(((calls - failed) / calls) * 10_000) / 10_000,
    ...tokens,
    latency_ms: {
      ...{ p50_ms: at(0.5), p90_ms: at(0.9), p95_ms: at(0.95), p99_ms: at(0.99), max_ms: times.at(-1) ?? 0 },
      mean_ms:
        times.length === 0 ? 0 : Math.round((times.reduce((sum, each) => sum + each, 0) / times.length) * 1000) / 1000,
    },
    top_agents: groups.by_agent.largest(),
    top_tools: groups.by_tool.largest(),
    payload_token_usage: tokens,
    token_usage: usage,
    errors_by_kind: errorsOf(rows),
  };
}

function count(tally: Tally, { success, token_accounting }: AuditRow): void {
  tally.calls += 1;
  if (!success) tally.failed += 1;
  tally.original_tokens += token_accounting?.original_tokens ?? 0;
  tally.returned_tokens += token_accounting?.returned_tokens ?? 0;
  tally.saved_tokens += token_accounting?.saved_tokens ?? 0;
}

/** Tallies by name, of which the largest are told. */
function tallies() {
  const known = new Map<string, Tally>();
  const of = (name = 'unknown'): Tally => {
    const found = known.get(name) ?? none();
    known.set(name, found);
    return found;
  };
  const largest = (): Json[] =>
    [...known]
      .sort(([, a], [, b]) => b.calls - a.calls)
      .slice(0, most)
      .map(([name, tally]) => ({ name, ...tally }));
  return Object.assign(of, { largest });
}

function errorsOf(rows: readonly AuditRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { success, error_kind = 'error' } of rows) {
    if (!success) counts[error_kind] = (counts[error_kind] ?? 0) + 1;
  }
  return counts;
}
