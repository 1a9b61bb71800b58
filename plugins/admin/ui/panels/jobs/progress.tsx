/** How far a job is, and how long it took. */
import type { JobRow } from '../../shell/rows.ts';

export const isOver = ({ status }: JobRow): boolean => !['running', 'pending', 'queued'].includes(status);

export function tookMs({ started_at, completed_at, created_at }: JobRow): number | undefined {
  const from = Date.parse(started_at ?? created_at ?? '');
  const to = completed_at ? Date.parse(completed_at) : Date.now();
  return Number.isNaN(from) ? undefined : Math.max(0, to - from);
}

export function Progress({ job }: { job: JobRow }) {
  const { status, progress, error } = job;
  if (status === 'failed' || status === 'interrupted') return <span class="bad">{error ?? status}</span>;
  if (isOver(job)) return null;
  const { current = 0, total = 0, message } = progress ?? {};
  const words = total > 0 ? `${current} of ${total}` : 'running';
  return (
    <span class="progress">
      <progress aria-label={`Progress of ${job.tool ?? 'job'}`} {...(total > 0 && { value: current, max: total })} />
      <span class="muted">{message ?? words}</span>
    </span>
  );
}
