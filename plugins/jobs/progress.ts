/** What becomes of a progress report: bounded, and never backwards (specification: Job record, invariant). Pure. */
import type { JobProgress } from '../../schemas/job.ts';
import type { ReportedProgress } from './api.ts';

const maxMessage = 1024;

/** The progress after a report; the same object when the report says nothing usable. */
export function advance(
  before: ReportedProgress | null,
  current: number,
  total?: number,
  message?: string,
): ReportedProgress | null {
  if (!Number.isFinite(current) || current < 0 || current < (before?.current ?? 0)) return before;
  const usable = typeof total === 'number' && Number.isFinite(total) && total >= 0;
  const known = usable ? total : before?.total;
  const said = typeof message === 'string' ? message.slice(0, maxMessage) : undefined;
  return {
    current,
    ...(known !== undefined && { total: Math.max(known, current) }),
    ...(said !== undefined && { message: said }),
  };
}

/** Progress as a record shows it: `total` is never below `current`. */
export function shownProgress(progress: ReportedProgress | null): JobProgress | null {
  if (progress === null) return null;
  const { current, total = current, message } = progress;
  return { current, total: Math.max(total, current), ...(message !== undefined && { message }) };
}
