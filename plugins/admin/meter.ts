/** Measures calls by the second: how many, how many failed, how long they took. */
import { quantile } from '../../schemas/quantile.ts';
import type { FollowedCall } from '../audit/records/api.ts';
import type { Point } from './frames.ts';

/** Seconds that are kept for a page that opens while another is open. */
const keptPoints = 900;

export interface MeterDeps {
  now(): number;
  inFlight(): number;
  rssBytes(): number;
}

export function createMeter({ now, inFlight, rssBytes }: MeterDeps) {
  let points: Point[] = [];
  let times: number[] = [];
  let failed = 0;
  let second = Math.floor(now() / 1000);

  const close = (): Point => {
    const sorted = times.sort((a, b) => a - b);
    const point = {
      ...{ at: second * 1000, calls: sorted.length, failed },
      ...{ p50_ms: quantile(sorted, 0.5), p95_ms: quantile(sorted, 0.95) },
      ...{ in_flight: inFlight(), rss_bytes: rssBytes() },
    };
    times = [];
    failed = 0;
    return point;
  };

  return {
    /** What was before is not known. */
    begin(): void {
      points = [];
      times = [];
      failed = 0;
      second = Math.floor(now() / 1000);
    },
    count({ ok, duration_ms, operation }: FollowedCall): void {
      if (operation !== undefined) return;
      times.push(duration_ms);
      if (!ok) failed += 1;
    },
    /** Points of the seconds that are over since the last time. */
    take(): Point[] {
      const current = Math.floor(now() / 1000);
      if (current === second) return [];
      const point = close();
      second = current;
      points.push(point);
      if (points.length > keptPoints) points.shift();
      return [point];
    },
    points: (): readonly Point[] => points,
  };
}
