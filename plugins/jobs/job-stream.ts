/** The events of one job for an HTTP stream: progress as it comes, then how it ended (shape:instance). */
import { type Bus, type EventEnvelope, toHttpError } from '../../kernel/index.ts';
import type { RestJobs } from '../rest/api.ts';
import { isTerminal, type JobRow, type JobsService } from './api.ts';
import { jobErrors } from './errors.ts';

export type JobStreamEvent =
  | { type: 'progress'; progress?: number; total?: number; message?: string }
  | { type: 'done'; result: { slug: string; output: unknown; validation_skipped: boolean } }
  | { type: 'error'; error: Readonly<Record<string, unknown>> };

export interface JobStreamDeps {
  jobs: Pick<JobsService, 'get' | 'cancel'>;
  bus: Pick<Bus, 'on'>;
  /** `<dcc>.<skill>.<action>` of a tool. */
  slugOf(tool: string): string;
}

/** The jobs of this server for `/v1/jobs`. */
export function createRestJobs(deps: JobStreamDeps): RestJobs {
  const assertKnown = async (id: string): Promise<void> => {
    const known = await deps.jobs.get(id);
    if (!known) throw jobErrors.NOT_FOUND({ job_id: id.slice(0, 256), hint: 'look at the receipt of the call' });
  };
  return {
    async events(id, signal) {
      await assertKnown(id);
      return jobEvents(deps, id, signal);
    },
    async cancel(id) {
      await assertKnown(id);
      await deps.jobs.cancel(id);
    },
  };
}

/**
 * Ends after done or error, when `signal` aborts, or when the job is gone. A reader that is slower than the reports gets
 * the newest, so nothing piles up.
 */
async function* jobEvents({ jobs, bus, slugOf }: JobStreamDeps, id: string, signal: AbortSignal) {
  let wake: () => void = () => undefined;
  let news = false;
  const look = ({ attributes }: EventEnvelope<{ job_id: string }>): void => {
    if (attributes.job_id !== id) return;
    news = true;
    wake();
  };
  const undos = [bus.on('job.updated', look), bus.on('internal.job.progressed', look)];
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      news = false;
      const row = await jobs.get(id);
      if (!row) return;
      yield { event: 'job', data: isTerminal(row.status) ? ending(row, slugOf(row.tool)) : progress(row) };
      if (isTerminal(row.status)) return;
      if (!news && !signal.aborted) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const undo of undos) void undo();
  }
}

function progress({ status, progress: reported }: JobRow): JobStreamEvent {
  if (reported === null) return { type: 'progress', message: status };
  const { current, total, message = status } = reported;
  return { type: 'progress', progress: current, ...(total !== undefined && { total }), message };
}

function ending({ job_id, status, error, result }: JobRow, slug: string): JobStreamEvent {
  if (status === 'completed')
    return { type: 'done', result: { slug, output: output(result), validation_skipped: false } };
  const row = { failed: jobErrors.FAILED, cancelled: jobErrors.CANCELLED, interrupted: jobErrors.INTERRUPTED };
  const details = { job_id, reason: error ?? '', by: '' };
  return { type: 'error', error: { ...toHttpError(row[status as keyof typeof row](details)).body } };
}

/** What the tool returned: its structured value, otherwise its content. */
function output(result: string | null): unknown {
  const { structuredContent, content } = JSON.parse(result ?? '{}') as Record<string, unknown>;
  return structuredContent ?? content ?? null;
}
