import { expect, test } from 'vitest';
import type { AuditRow } from '../../../plugins/audit/records/api.ts';
import { exportOf, heatmapOf } from '../../../plugins/debug/analytics.ts';
import { governanceOf } from '../../../plugins/debug/standing.ts';
import { timeseriesOf, windowOf } from '../../../plugins/debug/timeseries.ts';

const row = (timestamp: string, more: Partial<AuditRow> = {}): AuditRow => ({
  ...{ timestamp, request_id: 'r', trace_id: 't', method: 'tools/call', action: 'maya.a.b', success: true },
  ...more,
});

test('calls are counted where they were made: in their hour, on their day, in UTC', () => {
  const now = Date.parse('2026-06-03T12:30:00Z');
  const rows = [row('2026-06-03T11:59:59Z'), row('2026-06-03T12:00:00Z', { success: false, duration_ms: 4 })];
  const { points } = timeseriesOf(rows, windowOf({}, now)) as { points: Record<string, unknown>[] };
  expect(points.slice(-2)).toMatchObject([
    { timestamp: '2026-06-03T11:00:00.000Z', calls: 1, failed: 0, mean_ms: 0 },
    { timestamp: '2026-06-03T12:00:00.000Z', calls: 1, failed: 1, mean_ms: 4 },
  ]);
  const { calls, most } = heatmapOf(rows, '7d') as { calls: number[][]; most: number };
  expect([most, calls[3]?.[11], calls[3]?.[12]]).toEqual([1, 1, 1]);
});

test('a spreadsheet takes no name of a tool for a formula', () => {
  const { text } = exportOf([row('2026-06-03T12:00:00Z', { action: '=HYPERLINK("x")', duration_ms: -1 })], 'csv');
  expect(text.split('\r\n')[1]).toContain(`,"'=HYPERLINK(""x"")",`);
  expect(text.split('\r\n')[1]).toContain(',-1,');
});

test('what a rule denied is a decision, what a tool failed at is none', () => {
  const rows = [
    row('2026-06-03T12:00:00Z', { success: false, error_kind: 'event_vetoed', error: 'no: token=abcdefgh12345678' }),
    row('2026-06-03T12:00:00Z', { success: false, error_kind: 'handler_error' }),
  ];
  const { recent_decisions, policy } = governanceOf({
    settings: { policy_file: '/home/a/p.yaml' },
    capture: undefined,
    rows,
  });
  expect(recent_decisions).toMatchObject([{ tool: 'maya.a.b', decision: 'denied', by: 'policy_file_or_hook' }]);
  expect(JSON.stringify({ recent_decisions, policy })).not.toMatch(/abcdefgh|home/);
});
