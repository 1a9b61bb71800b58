/** The envelope of jobs_get_status: a row, reconciled with the files on disk (specification: Job record). */
import type { JobProgress, JobRecord } from '../../schemas/job.ts';
import { isTerminal, type JobRow, type OutputTarget } from './api.ts';
import { outputTarget } from './output-target.ts';
import { pollDescriptor } from './poll-contracts.ts';
import { shownProgress } from './progress.ts';

type Counting = Pick<JobRecord, 'progress' | 'counter_source' | 'reported_current'>;

/** `count` finds the number of files of a target. */
export async function recordOf(
  row: JobRow,
  includeResult: boolean,
  count: (target: OutputTarget) => Promise<number | undefined>,
): Promise<JobRecord> {
  const facts = isTerminal(row.status) ? factsOf(row) : undefined;
  const target = facts?.declared ?? row.output;
  const reported = shownProgress(row.progress);
  const counting = target ? reconcile(reported, await count(target)) : { progress: reported };
  return {
    job_id: row.job_id,
    core_job_id: row.job_id,
    job_id_owner: 'core',
    ...(facts?.adapterJobId !== undefined && { adapter_job_id: facts.adapterJobId }),
    parent_job_id: row.parent_job_id,
    tool: row.tool,
    status: row.status,
    created_at: row.created_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
    updated_at: row.updated_at,
    error: row.error,
    ...counting,
    ...(includeResult && facts && { result: JSON.parse(row.result as string) }),
  };
}

interface Facts {
  declared: OutputTarget | null;
  adapterJobId: string | undefined;
}

/** A result of some megabytes is read once, not at every poll. */
const known = new WeakMap<JobRow, Facts>();

/** Undefined for a row without a result. */
function factsOf(row: JobRow): Facts | undefined {
  const found = known.get(row);
  if (found || row.result === null) return found;
  const result = JSON.parse(row.result) as Record<string, unknown>;
  const poll = pollDescriptor(result.structuredContent);
  const facts: Facts = {
    declared: outputTarget(result.structuredContent ?? parsedText(result)),
    adapterJobId: poll?.owner === 'adapter' && typeof poll.value === 'string' ? poll.value : undefined,
  };
  known.set(row, facts);
  return facts;
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
