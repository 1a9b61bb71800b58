/**
 * Background jobs: pending -> running -> completed | failed | cancelled | interrupted. Every transition is stored before
 * anybody is told of it, and none leaves a terminal state.
 */
import { type Bus, type EventRecord, type Ids, type Logger, messageOf } from '../../kernel/index.ts';
import type { ServerConfig } from '../../schemas/server-config.ts';
import type { Admission, ToolResult } from '../tools/api.ts';
import { admits, progressTokenOf } from './admission.ts';
import {
  isTerminal,
  type JobRow,
  type JobStore,
  type JobsService,
  type JobWork,
  type ReportedProgress,
} from './api.ts';
import { createFileCounter } from './disk-count.ts';
import { jobErrors } from './errors.ts';
import { endedRow, type LiveJob, newRow, type Outcome, runningRow, timestampOf } from './job.ts';
import { createLanes } from './lanes.ts';
import { failureOf, outcomeOf } from './outcome.ts';
import { outputTarget } from './output-target.ts';
import { createPollContracts, type PollContracts } from './poll-contracts.ts';
import { advance } from './progress.ts';
import { receiptOf } from './receipt.ts';
import { recordOf } from './record.ts';
import { createRequestJobs } from './request-jobs.ts';

/** Text of jobs that a restart ended (specification: Job states). */
export const restartText = 'server restart';
/** Progress is stored at most this often; a transition stores it too. */
const progressSaveMs = 1000;

export interface JobsDeps {
  config: ServerConfig;
  ids: Ids;
  bus: Bus;
  log: Logger;
  store: JobStore;
}

export interface Jobs extends JobsService {
  readonly admission: Admission;
  readonly polls: PollContracts;
  prune(before: string): number;
  /** Cancels the job that a request of a session became; false when there is none that is not terminal. */
  cancelRequest(sessionId: string, requestId: string | number): boolean;
  /** Tells of a row that the store changed by itself: recovery. */
  announce(row: JobRow): void;
  /** Interrupts every job. */
  close(): void;
}

interface Start {
  tool: string;
  lane: string;
  laneLimit: number;
  parent: string | undefined;
  sessionId: string | undefined;
  progressToken: string | number | undefined;
  /** Of the request, when a session made it. */
  requestId?: string | number | undefined;
  output: JobRow['output'];
  run(job: LiveJob, signal: AbortSignal, progress: Progress): Promise<Readonly<Record<string, unknown>>>;
}

type Progress = (current: number, total?: number, message?: string) => void;

export function createJobs({ config, ids, bus, log, store }: JobsDeps): Jobs {
  const live = new Map<string, LiveJob>();
  const polls = createPollContracts();
  const requests = createRequestJobs();
  const countFiles = createFileCounter();
  const lanes = createLanes(config.max_running_jobs);
  const now = (): string => timestampOf(ids.now());
  const source = config.dcc_type === null ? {} : { dcc_type: config.dcc_type };
  let closed = false;

  const correlationOf = (job_id: string, job: LiveJob | undefined): EventRecord => {
    const correlation: EventRecord = { job_id };
    if (job?.sessionId !== undefined) correlation.session_id = job.sessionId;
    if (job?.progressToken !== undefined) correlation.progress_token = job.progressToken;
    return correlation;
  };

  const tellProgress = (job: LiveJob, progress: ReportedProgress): void => {
    if (!bus.wants('internal.job.progressed')) return;
    const { job_id } = job.row;
    bus.emit('internal.job.progressed', {
      source,
      correlation: correlationOf(job_id, job),
      attributes: { job_id, progress },
    });
  };

  const tell = (row: JobRow, job?: LiveJob): void => {
    if (!bus.wants('job.updated')) return;
    const { job_id, parent_job_id, tool, status, started_at, completed_at, error } = row;
    bus.emit('job.updated', {
      source,
      correlation: correlationOf(job_id, job),
      attributes: { job_id, parent_job_id, tool, status, started_at, completed_at, error },
    });
  };

  const move = (job: LiveJob, row: JobRow): void => {
    job.row = row;
    job.savedAt = ids.now();
    store.save(row);
    tell(row, job);
  };

  const end = (job: LiveJob, outcome: Outcome): void => {
    if (isTerminal(job.row.status)) return;
    live.delete(job.row.job_id);
    const { sessionId, requestId } = job;
    if (sessionId !== undefined && requestId !== undefined) requests.release(sessionId, requestId, job.row.job_id);
    if (job.row.parent_job_id !== null) live.get(job.row.parent_job_id)?.children?.delete(job.row.job_id);
    move(job, endedRow(job.row, outcome, now()));
  };

  const progressOf =
    (job: LiveJob): Progress =>
    (current, total, message) => {
      if (isTerminal(job.row.status)) return;
      const progress = advance(job.row.progress, current, total, message);
      if (progress === null || progress === job.row.progress) return;
      job.row = { ...job.row, progress, updated_at: now() };
      if (ids.now() - job.savedAt >= progressSaveMs) {
        job.savedAt = ids.now();
        store.save(job.row);
      }
      tellProgress(job, progress);
    };

  const perform = async (job: LiveJob, run: Start['run']): Promise<void> => {
    try {
      job.controller = new AbortController();
      move(job, runningRow(job.row, now()));
      const result = await run(job, job.controller.signal, progressOf(job));
      const outcome = outcomeOf(result, config.max_job_result_bytes);
      const { cancelled } = job;
      end(job, cancelled ? { ...outcome, status: 'cancelled', error: cancelled.message } : outcome);
    } catch (error) {
      const { cancelled } = job;
      end(job, cancelled ? { status: 'cancelled', error: cancelled.message, result: null } : failureOf(error));
    }
  };

  const start = (given: Start): JobRow => {
    if (lanes.pending >= config.max_pending_jobs) throw jobErrors.TOO_MANY({ limit: config.max_pending_jobs });
    const parent = given.parent === undefined ? undefined : live.get(given.parent);
    const { tool, output } = given;
    const row = newRow({ job_id: ids.uuid(), parent_job_id: given.parent ?? null, tool, output }, now());
    const job: LiveJob = {
      row,
      controller: undefined,
      children: undefined,
      sessionId: given.sessionId ?? parent?.sessionId,
      progressToken: given.progressToken,
      requestId: given.requestId,
      task: undefined,
      cancelled: undefined,
      savedAt: 0,
    };
    live.set(row.job_id, job);
    const { sessionId, requestId } = job;
    if (sessionId !== undefined && requestId !== undefined) requests.bind(sessionId, requestId, row.job_id);
    if (parent) parent.children = (parent.children ?? new Set()).add(row.job_id);
    move(job, row);
    job.task = {
      lane: given.lane,
      laneLimit: given.laneLimit,
      counted: parent === undefined,
      start: () => perform(job, given.run),
    };
    lanes.add(job.task);
    // A parent that was asked to stop starts nothing that goes on without it.
    if (parent?.cancelled) cancel(row.job_id, ' because its parent was');
    return row;
  };

  const cancel = (id: string, by = ''): boolean => {
    const job = live.get(id);
    if (!job) return store.get(id) !== undefined;
    if (job.cancelled) return true;
    job.cancelled = jobErrors.CANCELLED({ by });
    for (const child of [...(job.children ?? [])]) cancel(child, ' because its parent was');
    if (job.task && lanes.remove(job.task)) {
      end(job, { status: 'cancelled', error: job.cancelled.message, result: null });
    } else {
      job.controller?.abort(job.cancelled);
    }
    return true;
  };

  const admission: Admission = (tool, args, call, run) => {
    if (closed || !admits(tool, call)) return undefined;
    const main = tool.affinity === 'main';
    const row = start({
      tool: tool.name,
      // Jobs of the main thread take turns whichever tool they are of.
      lane: main ? 'affinity main' : `tool ${tool.name}`,
      laneLimit: main ? 1 : config.max_running_jobs_per_tool,
      parent: call.job,
      sessionId: call.session?.id,
      progressToken: progressTokenOf(call.meta),
      requestId: call.rpc?.requestId,
      output: outputTarget(args),
      run: (job, signal, onProgress) =>
        run({
          timeoutMs: 0,
          signal,
          onProgress,
          job: job.row.job_id,
          graceMs: config.job_cancel_grace_ms,
          maxResultChars: config.max_job_result_bytes,
        }) as Promise<ToolResult & Record<string, unknown>>,
    });
    return receiptOf(row.job_id, row.parent_job_id);
  };

  const get = (id: string): JobRow | undefined => live.get(id)?.row ?? store.get(id);

  return {
    admission,
    polls,
    get,
    async status(id, { includeResult = true } = {}) {
      const row = get(id);
      return row && recordOf(row, includeResult, countFiles);
    },
    cancel: id => cancel(id),
    cancelRequest(sessionId, requestId) {
      const id = requests.find(sessionId, requestId);
      return id !== undefined && cancel(id, ' by its caller');
    },
    submit({ tool, session, parentJobId, run }: JobWork) {
      if (closed) throw jobErrors.CANCELLED({ by: ': the server is shutting down' });
      const row = start({
        tool,
        lane: `work ${tool}`,
        laneLimit: config.max_running_jobs_per_tool,
        parent: parentJobId,
        sessionId: session?.id,
        progressToken: undefined,
        output: null,
        run: (job, signal, progress) => run({ jobId: job.row.job_id, signal, progress }),
      });
      return row.job_id;
    },
    registerPoll: polls.register,
    get active() {
      return { pending: lanes.pending, running: lanes.running };
    },
    prune: before => store.prune(before),
    announce: row => tell(row),
    close() {
      closed = true;
      lanes.close();
      for (const job of [...live.values()]) {
        try {
          end(job, { status: 'interrupted', error: restartText, result: null });
        } catch (error) {
          log.warn({ job: job.row.job_id, reason: messageOf(error) }, 'a job was not interrupted');
        }
        job.controller?.abort(jobErrors.CANCELLED({ by: ': the server is shutting down' }));
      }
    },
  };
}
