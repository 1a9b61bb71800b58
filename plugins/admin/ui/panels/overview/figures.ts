/** Points of calls as figures and as lines of a chart. */
import { useMemo } from 'preact/hooks';
import type { Point } from '../../../frames.ts';
import { useQuery } from '../../parts/query.ts';
import { points } from '../../shell/live.ts';
import type { JobRow } from '../../shell/rows.ts';

export interface Health {
  status: string;
  uptime_secs: number;
  rss_bytes: number;
  version: string;
}

export interface Jobs {
  tasks: JobRow[];
}

interface Series {
  points: (Omit<Point, 'at'> & { timestamp: string })[];
}

/** What is charted. */
const seconds = 300;

/** The seconds before the page was opened as the records know them, then those that it saw itself. */
export function useHistory(): readonly Point[] {
  const { data } = useQuery<Series>('analytics/timeseries?range=5m&step=1s');
  const live = points.value;
  return useMemo(() => {
    const from = live[0]?.at ?? Number.POSITIVE_INFINITY;
    const known = (data?.points ?? []).map(each => ({ ...each, at: Date.parse(each.timestamp) }));
    // From the first call on: before it, perhaps nobody was there.
    const first = known.findIndex(each => each.calls > 0);
    const before = first < 0 ? [] : known.slice(first).filter(each => each.at < from);
    return [...before, ...live].slice(-seconds);
  }, [data, live]);
}

export function sum(recent: readonly Point[]) {
  const count = recent.reduce((all, each) => all + each.calls, 0);
  const failed = recent.reduce((all, each) => all + each.failed, 0);
  return { count, failed, p50: weighted(recent, 'p50_ms'), p95: weighted(recent, 'p95_ms') };
}

/** Of seconds, by how many calls each had. */
function weighted(recent: readonly Point[], of: 'p50_ms' | 'p95_ms'): number | null {
  const had = recent.filter(each => each[of] !== null);
  const count = had.reduce((all, each) => all + each.calls, 0);
  if (count === 0) return null;
  return had.reduce((all, each) => all + (each[of] ?? 0) * each.calls, 0) / count;
}

export const seriesOf = (history: readonly Point[]) => ({
  at: history.map(each => each.at / 1000),
  calls: history.map(each => each.calls),
  failed: history.map(each => each.failed),
  p50: history.map(each => each.p50_ms),
  p95: history.map(each => each.p95_ms),
});
