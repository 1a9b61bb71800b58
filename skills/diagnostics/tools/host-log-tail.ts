/** The newest log lines of the server, counted by level, with repeated ones folded. */
import type { SkillContext } from 'svc';
import { ask, type Fields, rowsOf, succeed } from '../lib/server.ts';

interface Args {
  lines?: number;
  level?: string;
  contains?: string;
}

export default async function hostLogTail(args: Args, ctx: SkillContext) {
  const wanted = args.lines ?? 50;
  const needle = args.contains?.toLowerCase();
  const { lines } = await ask(ctx, 'svc.log_tail', {
    // A filter needs more lines to choose from.
    lines: needle === undefined ? wanted : 500,
    level: args.level ?? 'info',
  });
  const rows = rowsOf(lines)
    .filter(line => needle === undefined || JSON.stringify(line).toLowerCase().includes(needle))
    .slice(-wanted);
  const levels: Record<string, number> = {};
  for (const line of rows) levels[String(line.level)] = (levels[String(line.level)] ?? 0) + 1;
  const counts = Object.entries(levels).map(([level, count]) => `${count} ${level}`);
  const last = rows.findLast(line => line.level === 'error' || line.level === 'fatal');
  const message = rows.length === 0 ? 'No log line matches.' : `${rows.length} log lines (${counts.join(', ')})`;
  const about = last === undefined ? '' : `; the last error says: ${String(last.msg ?? '').slice(0, 200)}`;
  return succeed(`${message}${about}`, { count: rows.length, levels, lines: folded(rows) });
}

/** Lines that say the very same as the one before, time apart, become one line with `repeated` and the time of the last. */
function folded(rows: readonly Fields[]): Fields[] {
  const out: Fields[] = [];
  let before: string | undefined;
  for (const row of rows) {
    const { time, ...said } = row;
    const text = JSON.stringify(said);
    const last = out.at(-1);
    if (last !== undefined && text === before) {
      last.repeated = Number(last.repeated ?? 1) + 1;
      last.last_time = time;
    } else out.push({ ...row });
    before = text;
  }
  return out;
}
