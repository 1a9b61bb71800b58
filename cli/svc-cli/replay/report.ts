/** The report of a replay for people. */
import { columns } from '../../columns.ts';
import { countsOf, type ReplayedCall } from './replay.ts';

const shownDifferences = 5;
const longest = 60;

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
};

const words = (outcome: string): string => outcome.replaceAll('_', ' ');

/** A table of the calls, what changed in each, and a line that sums up. */
export function reportText(calls: readonly ReplayedCall[], skippedLines: number): string {
  const rows = calls.map(each => [
    each.capture_id.slice(0, 12),
    each.tool,
    each.url,
    words(each.outcome),
    each.duration_ms === undefined ? '' : `${each.duration_ms} ms`,
    each.reason ?? '',
  ]);
  const changes = calls.flatMap(({ capture_id, tool, differences = [] }) => {
    if (differences.length === 0) return [];
    const lines = differences
      .slice(0, shownDifferences)
      .map(({ path, before, after }) => `  ${path || 'the whole'}: ${shown(before)} -> ${shown(after)}`);
    const more = differences.length - lines.length;
    return [`${capture_id.slice(0, 12)} ${tool}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
  });
  const counts = Object.entries(countsOf(calls)).filter(([, count]) => count > 0);
  const sum = counts.map(([outcome, count]) => `${count} ${words(outcome)}`).join(', ');
  const skipped = skippedLines > 0 ? `; ${skippedLines} lines are no frames` : '';
  const table = columns([['CAPTURE', 'TOOL', 'DOOR', 'OUTCOME', 'TOOK', 'WHY'], ...rows]);
  return [
    table,
    ...(changes.length > 0 ? ['', ...changes] : []),
    '',
    `${calls.length} calls: ${sum || 'none'}${skipped}`,
  ].join('\n');
}
