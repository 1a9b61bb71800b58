/** The recorded calls over time: a point for every step of a range, those without calls too. Times are UTC. Pure. */

import type { Json } from '../../schemas/loose.ts';
import { quantile } from '../../schemas/quantile.ts';
import type { AuditRow } from '../audit/records/api.ts';
import { debugErrors } from './errors.ts';
import { spanMs } from './query.ts';

const mostPoints = 2000;
/** Who names no step gets the shortest that needs no more than this. */
const usualPoints = 400;
const steps = { '1s': 'second', '1m': 'minute', '1h': 'hour', '1d': 'day' } as const;

export interface Window {
  readonly range: string;
  /** What a point stands for. */
  readonly bucket: string;
  readonly stepMs: number;
  /** Of the first point. */
  readonly from: number;
  readonly to: number;
}

export interface WindowQuery {
  range?: string | undefined;
  step?: string | undefined;
}

/** Throws SVC_DEBUG_QUERY. */
export function windowOf({ range = '7d', step }: WindowQuery, now: number): Window {
  const rangeMs = spanMs('range', range);
  const named = step ?? Object.keys(steps).find(each => rangeMs / spanMs('step', each) <= usualPoints) ?? '1d';
  const stepMs = spanMs('step', named);
  if (rangeMs / stepMs > mostPoints) {
    const reason = `must be longer: at most ${mostPoints} points are told`;
    throw debugErrors.QUERY({ parameter: step === undefined ? 'range' : 'step', reason });
  }
  const from = Math.floor((now - rangeMs) / stepMs) * stepMs;
  return { range, bucket: (steps as Readonly<Record<string, string>>)[named] ?? named, stepMs, from, to: now };
}

export function timeseriesOf(rows: readonly AuditRow[], { range, bucket, stepMs, from, to }: Window): Json {
  const count = Math.floor((to - from) / stepMs) + 1;
  const points = Array.from({ length: count }, () => ({
    ...{ times: [] as number[], failed: 0, returned_tokens: 0, saved_tokens: 0 },
  }));
  for (const { timestamp, success, duration_ms = 0, token_accounting: tokens } of rows) {
    const point = points[Math.floor((Date.parse(timestamp) - from) / stepMs)];
    if (!point) continue;
    point.times.push(duration_ms);
    if (!success) point.failed += 1;
    point.returned_tokens += tokens?.returned_tokens ?? 0;
    point.saved_tokens += tokens?.saved_tokens ?? 0;
  }
  const told = points.map(({ times, failed, ...tokens }, index) => {
    const sorted = times.sort((a, b) => a - b);
    const mean = times.reduce((sum, each) => sum + each, 0) / times.length;
    return {
      timestamp: new Date(from + index * stepMs).toISOString(),
      ...{ calls: times.length, failed },
      ...{ p50_ms: quantile(sorted, 0.5), p95_ms: quantile(sorted, 0.95) },
      mean_ms: times.length === 0 ? null : Math.round(mean * 1000) / 1000,
      ...tokens,
    };
  });
  return { range, bucket, step_ms: stepMs, points: told };
}
