/** The envelope of jobs_get_status: a row, reconciled with the files on disk (specification: Job record). */
import type { JobProgress, JobRecord } from '../../schemas/job.ts';
import { isTerminal, type JobRow, type OutputTarget } from './api.ts';
import { outputTarget } from './output-target.ts';
import { pollDescriptor } from './poll-registry.ts';
import { shownProgress } from './progress.ts';

type Counting = Pick<JobRecord, 'progress' | 'counter_source' | 'reported_current'>;

/** `count` finds the number of files of a target. */
export async function recordOf(
  row: JobRow,
  includeResult: boolean,
  count: (target: OutputTarget) => Promise<number | undefined>,
): Promise<JobRecord> {
  const result = row.result === null ? undefined : (JSON.parse(row.result) as Record<string, unknown>);
  const declared = result && outputTarget(result.structuredContent ?? parsedText(result));
  const target = (isTerminal(row.status) ? declared : undefined) ?? row.output;
  const reported = shownProgress(row.progress);
  const counting = target ? reconcile(reported, await count(target)) : { progress: reported };
  const poll = result && pollDescriptor(result.structuredContent);
  return {
    job_id: row.job_id,
    core_job_id: row.job_id,
    job_id_owner: 'core',
    ...(poll?.owner === 'adapter' && typeof poll.value === 'string' && { adapter_job_id: poll.value }),
    parent_job_id: row.parent_job_id,
    tool: row.tool,
    status: row.status,
    created_at: row.created_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
    updated_at: row.updated_at,
    error: row.error,
    ...counting,
    ...(includeResult && isTerminal(row.status) && result && { result }),
  };
}

/** The disk counts when it is ahead; whenever the two disagree, the reported count stands beside. */
export function reconcile(reported: JobProgress | null, onDisk: number | undefined): Counting {
  if (onDisk === undefined) return { progress: reported, ...(reported && { counter_source: 'reported' }) };
  if (reported === null) {
    return { progress: { current: onDisk, total: onDisk }, counter_source: 'disk' };
  }
  const ahead = onDisk > reported.current;
  const current = ahead ? onDisk : reported.current;
  return {
    progress: { ...reported, current, total: Math.max(reported.total, current) },
    counter_source: ahead ? 'disk' : 'reported',
    ...(onDisk !== reported.current && { reported_current: reported.current }),
  };
}

/** Results of script tools may come as JSON text alone. */
function parsedText({ content }: Record<string, unknown>): unknown {
  const text = Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : undefined;
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
