/** The events of one job for an HTTP stream: progress as it comes, then how it ended (shape:instance). */
import type { IncomingMessage } from 'node:http';
import { type Bus, type EventEnvelope, toHttpError } from '../../kernel/index.ts';
import type { RestJobs } from '../rest/api.ts';
import { isTerminal, type JobRow, type JobsService } from './api.ts';
import type { Asker, Askers } from './askers.ts';
import { jobErrors } from './errors.ts';
import { recordOf } from './record.ts';

export type JobStreamEvent =
  | { type: 'progress'; progress?: number; total?: number; message?: string }
  | { type: 'done'; result: { slug: string; output: unknown; validation_skipped: boolean } }
  | { type: 'error'; error: Readonly<Record<string, unknown>> };

export interface JobStreamDeps {
  jobs: Pick<JobsService, 'get' | 'newest' | 'cancel'>;
  bus: Pick<Bus, 'on'>;
  askers: Askers;
  /** `<dcc>.<skill>.<action>` of a tool. */
  slugOf(tool: string): string;
}

/** The jobs of this server for `/v1/jobs`. */
export function createRestJobs(deps: JobStreamDeps): RestJobs {
  const askerOf = (http: IncomingMessage | undefined): Asker => deps.askers.of({ http });
  const assertKnown = async (id: string, http: IncomingMessage | undefined): Promise<void> => {
    const known = await deps.jobs.get(id);
    if (!known || !askerOf(http).sees(known))
      throw jobErrors.NOT_FOUND({ job_id: id.slice(0, 256), hint: 'look at the receipt of the call' });
  };
  return {
    async list(limit, http) {
      const asker = askerOf(http);
      const rows = await deps.jobs.newest(limit, asker.whose);
      // Nobody waits for files to be counted.
      const record = async (row: JobRow): Promise<object> => ({
        ...(await recordOf(row, false, async () => undefined)),
        ...(row.owner != null && { owner: row.owner }),
      });
      return { jobs: await Promise.all(rows.map(record)) };
    },
    async events(id, signal, http) {
      await assertKnown(id, http);
      return jobEvents(deps, id, signal);
    },
    async cancel(id, http) {
      await assertKnown(id, http);
      await deps.jobs.cancel(id);
    },
  };
}

/**
 * Ends after done or error, or when `signal` aborts and the job goes on. A reader that is slower than the reports gets
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
    for (;;) {
      news = false;
      const row = await jobs.get(id);
      const last = !row || isTerminal(row.status);
      // Aborted too, it says how the job ended: a server that closes interrupts its jobs first.
      if (signal.aborted && !last) return;
      yield { event: 'job', data: row ? told(row, slugOf) : removed(id) };
      if (last) return;
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

const told = (row: JobRow, slugOf: JobStreamDeps['slugOf']): JobStreamEvent =>
  isTerminal(row.status) ? ending(row, slugOf(row.tool)) : progress(row);

const errorEvent = (error: unknown): JobStreamEvent => ({ type: 'error', error: { ...toHttpError(error).body } });

const removed = (job_id: string): JobStreamEvent =>
  errorEvent(jobErrors.NOT_FOUND({ job_id, hint: 'its record was removed meanwhile' }));

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
  return errorEvent(row[status as keyof typeof row](details));
}

/** What the tool returned: its structured value, otherwise its content. */
function output(result: string | null): unknown {
  const { structuredContent, content } = JSON.parse(result ?? '{}') as Record<string, unknown>;
  return structuredContent ?? content ?? null;
}
