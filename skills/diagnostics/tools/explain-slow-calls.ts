/** Where the time of recent calls went: counts, failures and percentiles by tool, and one sentence on what to do. */
import type { SkillContext } from 'svc';
import { type CallRow, readCall, type ToolTimes, timesByTool } from '../lib/calls.ts';
import { ask, rowsOf, succeed } from '../lib/server.ts';

interface Args {
  sample?: number;
  slow_ms?: number;
}

export default async function explainSlowCalls(args: Args, ctx: SkillContext) {
  const slowMs = args.slow_ms ?? 1000;
  const { calls } = await ask(ctx, 'svc.recent_calls', { limit: args.sample ?? 500 });
  const rows = rowsOf(calls).map(readCall);
  const tools = timesByTool(rows);
  const slow = tools.filter(tool => tool.p95_ms >= slowMs);
  const slowest = [...rows].sort((a, b) => b.duration_ms - a.duration_ms).slice(0, 5);
  return succeed(messageOf(rows, slow, slowMs), {
    sampled: rows.length,
    slow_ms: slowMs,
    slow_tools: slow.map(tool => ({ ...tool, advice: adviceFor(tool) })),
    tools,
    slowest_calls: slowest,
  });
}

function messageOf(rows: readonly CallRow[], slow: readonly ToolTimes[], slowMs: number): string {
  const worst = slow[0];
  if (rows.length === 0) return 'No call is on record, so there is nothing to explain.';
  if (worst === undefined)
    return `None of ${rows.length} recent calls belongs to a tool whose p95 reaches ${slowMs} ms.`;
  return `${slow.length} tools are slow; ${worst.tool} took most: p95 ${worst.p95_ms} ms over ${worst.calls} calls. ${adviceFor(worst)}`;
}

/** What the numbers point to. */
function adviceFor(tool: ToolTimes): string {
  if (tool.failures * 2 >= tool.calls)
    return 'At least half of its calls fail: read the reasons with recent_calls first.';
  if (tool.calls >= 4 && tool.p95_ms > 5 * Math.max(1, tool.p50_ms)) {
    return 'Most calls are fast and a few are not: look at the arguments of the slowest, and at waits for the host.';
  }
  return 'It is slow as a rule: give it less to do per call, or declare it execution: async so that it runs as a job.';
}
