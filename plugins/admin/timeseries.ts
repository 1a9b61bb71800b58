/** Recorded calls over time: the seconds, or longer steps, before a page was opened. Pure. */
import type { AuditRow } from '../audit/records/api.ts';
import { adminErrors } from './errors.ts';
import { quantile } from './meter.ts';

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const mostPoints = 2000;

export interface SeriesQuery {
  range?: string;
  step?: string;
}

export interface Bucket {
  at: number;
  calls: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

function spanMs(name: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  const span = Number(count) * (unitMs[unit] ?? 0);
  if (span > 0) return span;
  throw adminErrors.INPUT({ reason: `"${name}" must be a span such as 30s, 15m, 24h or 7d` });
}

/** Throws SVC_ADMIN_INPUT. */
export function seriesWindow({ range = '15m', step = '1s' }: SeriesQuery, now: number) {
  const [rangeMs, stepMs] = [spanMs('range', range), spanMs('step', step)];
  if (rangeMs / stepMs > mostPoints) {
    throw adminErrors.INPUT({ reason: `"step" must be longer: at most ${mostPoints} points are told` });
  }
  return { from: Math.floor((now - rangeMs) / stepMs) * stepMs, to: now, stepMs };
}

/** Every step has a point, also one without calls, from the first call on. */
export function bucketsOf(rows: readonly AuditRow[], { from, to, stepMs }: ReturnType<typeof seriesWindow>): Bucket[] {
  const steps = new Map<number, { times: number[]; failed: number }>();
  let first = Number.POSITIVE_INFINITY;
  for (const { timestamp, duration_ms = 0, success } of rows) {
    const at = Math.floor(Date.parse(timestamp) / stepMs) * stepMs;
    first = Math.min(first, at);
    const step = steps.get(at) ?? { times: [], failed: 0 };
    steps.set(at, step);
    step.times.push(duration_ms);
    if (!success) step.failed += 1;
  }
  const points: Bucket[] = [];
  for (let at = Math.max(from, first); at <= to; at += stepMs) {
    const { times = [], failed = 0 } = steps.get(at) ?? {};
    const sorted = times.sort((a, b) => a - b);
    const quantiles = { p50_ms: quantile(sorted, 0.5), p95_ms: quantile(sorted, 0.95) };
    points.push({ at, calls: sorted.length, failed, ...quantiles });
  }
  return points;
}
