/** The newest tool calls, newest first, failures with their reason. */
import type { SkillContext } from 'svc';
import { readCall } from '../lib/calls.ts';
import { ask, rowsOf, succeed } from '../lib/server.ts';

export default async function recentCalls(args: { limit?: number; failed_only?: boolean }, ctx: SkillContext) {
  const { calls } = await ask(ctx, 'svc.recent_calls', {
    limit: args.limit ?? 20,
    failed_only: args.failed_only ?? false,
  });
  const rows = rowsOf(calls).map(readCall).reverse();
  const failed = rows.filter(row => row.failed);
  const newest = failed[0];
  const message =
    rows.length === 0
      ? 'No call is on record.'
      : `${rows.length} calls, ${failed.length} failed${newest === undefined ? '' : `; the newest failure is ${newest.tool}: ${newest.reason}`}.`;
  return succeed(message, { count: rows.length, failed: failed.length, calls: rows });
}
