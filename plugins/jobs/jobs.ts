/**
 * Background jobs: pending -> running -> completed | failed | cancelled | interrupted. Every transition is stored before
 * anybody is told of it, and none leaves a terminal state.
 */
import { type Awaitable, after, type Bus, type Ids, isPromise } from '../../kernel/index.ts';
import type { Admission, ToolResult } from '../tools/api.ts';
import { admits, progressTokenOf } from './admission.ts';
import { isTerminal, type JobRow, type JobsService, type JobWork } from './api.ts';
import type { Askers } from './askers.ts';
import type { Settings } from './config.ts';
import { createFileCounter } from './disk-count.ts';
import { jobErrors } from './errors.ts';
import { endedRow, type LiveJob, liveJob, newRow, type Outcome, runningRow, timestampOf } from './job.ts';
import { createLanes, type LaneTask } from './lanes.ts';
import type { JobLedger } from './ledger.ts';
import { failureOf, outcomeOf } from './outcome.ts';
import { outputTarget } from './output-target.ts';
import { createPollContracts, type PollContracts } from './poll-contracts.ts';
import { advance } from './progress.ts';
import { recordOf } from './record.ts';
import { createRequestJobs } from './request-jobs.ts';
import { createTelling } from './telling.ts';
import { answerOf } from './waiting.ts';

/** Text of jobs that a restart ended (specification: Job states). */
export const restartText = 'server restart';
/** Progress is stored at most this often; a transition stores it too. */
const progressSaveMs = 1000;

export interface JobsDeps {
  config: Settings;
  ids: Ids;
  bus: Bus;
  ledger: JobLedger;
  askers: Askers;
  /** How long a call that waits for its job does so before it gets the receipt. */
  receiptAfterMs: number;
}

export interface Jobs extends JobsService {
  readonly admission: Admission;
  readonly polls: PollContracts;
  readonly prune: JobLedger['prune'];
  /** Cancels the job that a request of a session became; false when there is none that is not terminal. */
  cancelRequest(sessionId: string, requestId: string | number): boolean;
  /** Tells of a row that the store changed by itself: recovery. */
  announce(row: JobRow): void;
  /** Interrupts every job and takes no more; resolves when that is stored and told. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

interface Start {
  jobId: string;
  tool: string;
  lane: string;
  laneLimit: number;
  parent: string | undefined;
  sessionId: string | undefined;
  /** Children are of whom their parent is. */
  owner: string | null;
  progressToken: string | number | undefined;
  /** Of the request, when a session made it. */
  requestId?: string | number | undefined;
  output: JobRow['output'];
  /** Largest result, where nobody else measures it. */
  mostBytes?: number;
  run(job: LiveJob, signal: AbortSignal, progress: Progress): Promise<Readonly<Record<string, unknown>>>;
}

type Progress = (current: number, total?: number, message?: string) => void;

export function createJobs({ config, ids, bus, ledger, askers, receiptAfterMs }: JobsDeps): Jobs {
  const live = new Map<string, LiveJob>();
  const polls = createPollContracts();
  const requests = createRequestJobs();
  const countFiles = createFileCounter();
  const lanes = createLanes(config.max_running_jobs);
  const now = (): string => timestampOf(ids.now());
  const { tell, tellProgress, tellLog } = createTelling(bus, config.dcc_type);
  /** Jobs that are not in a lane because their first row is not stored yet. */
  let arriving = 0;
  let closed = false;

  const show = (job: LiveJob, row: JobRow): void => {
    job.shown = row;
    if (isTerminal(row.status)) live.delete(row.job_id);
    tell(row, job);
    if (isTerminal(row.status)) job.ended?.();
  };

  /** The next state of a job: true at once, seen once it is stored. */
  const move = (job: LiveJob, row: JobRow): Awaitable<void> => {
    job.row = row;
    job.savedAt = ids.now();
    const stored = ledger.save(row);
    if (isPromise(stored)) return stored.then(() => show(job, row));
    show(job, row);
  };

  const end = (job: LiveJob, outcome: Outcome): Awaitable<void> => {
    if (isTerminal(job.row.status)) return;
    const { sessionId, requestId } = job;
    if (sessionId !== undefined && requestId !== undefined) requests.release(sessionId, requestId, job.row.job_id);
    if (job.row.parent_job_id !== null) live.get(job.row.parent_job_id)?.children?.delete(job.row.job_id);
    return move(job, endedRow(job.row, outcome, now()));
  };

  const endCancelled = (job: LiveJob, { message }: Error): Awaitable<void> =>
    end(job, { status: 'cancelled', error: message, result: null });

  const progressOf =
    (job: LiveJob): Progress =>
    (current, total, message) => {
      if (isTerminal(job.row.status)) return;
      const progress = advance(job.row.progress, current, total, message);
      if (progress === null || progress === job.row.progress) return;
      job.row = { ...job.row, progress, updated_at: now() };
      job.shown = job.row;
      if (ids.now() - job.savedAt >= progressSaveMs) {
        job.savedAt = ids.now();
        void ledger.save(job.row);
      }
      tellProgress(job, progress);
    };

  const perform = async (job: LiveJob, { run, mostBytes }: Start): Promise<void> => {
    try {
      job.controller = new AbortController();
      const begun = move(job, runningRow(job.row, now()));
      if (isPromise(begun)) {
        await begun;
        // Nothing begins that nobody wants any more.
        job.controller.signal.throwIfAborted();
      }
      const result = await run(job, job.controller.signal, progressOf(job));
      const outcome = outcomeOf(result, mostBytes);
      if (job.ended && outcome.result !== null) job.came = { result };
      const { cancelled } = job;
      await end(job, cancelled ? { ...outcome, status: 'cancelled', error: cancelled.message } : outcome);
    } catch (error) {
      if (job.ended) job.came = { error };
      await (job.cancelled ? endCancelled(job, job.cancelled) : end(job, failureOf(error)));
    }
  };

  const enqueue = (job: LiveJob, task: LaneTask, parent: LiveJob | undefined): void => {
    arriving -= 1;
    // Cancelled, or interrupted by the shutdown, while it was stored.
    if (isTerminal(job.row.status)) return;
    if (job.cancelled) return void endCancelled(job, job.cancelled);
    job.task = task;
    lanes.add(task);
    // A parent that was asked to stop starts nothing that goes on without it.
    if (parent?.cancelled) void cancelLive(job, ' because its parent was');
  };

  /** Resolves with the first row once it is stored: only then is the job known, and takes its turn. */
  const start = (given: Start): Awaitable<JobRow> => {
    const limit = config.max_pending_jobs;
    if (lanes.pending + arriving >= limit) throw jobErrors.TOO_MANY({ limit });
    const parent = given.parent === undefined ? undefined : live.get(given.parent);
    const { jobId: job_id, tool, output } = given;
    const owner = parent?.row.owner ?? given.owner;
    const row = newRow({ job_id, parent_job_id: given.parent ?? null, owner, tool, output }, now());
    const job = liveJob(row, { ...given, sessionId: given.sessionId ?? parent?.sessionId });
    live.set(job_id, job);
    const { sessionId, requestId } = job;
    if (sessionId !== undefined && requestId !== undefined) requests.bind(sessionId, requestId, job_id);
    if (parent) parent.children = (parent.children ?? new Set()).add(job_id);
    const task: LaneTask = {
      lane: given.lane,
      laneLimit: given.laneLimit,
      counted: parent === undefined,
      start: () => perform(job, given),
    };
    arriving += 1;
    return after(move(job, row), () => {
      enqueue(job, task, parent);
      return row;
    });
  };

  /** Asks a job and its children to stop; what waits for its turn has ended when the answer is there. */
  const cancelLive = (job: LiveJob, by: string): Awaitable<void> => {
    if (job.cancelled || isTerminal(job.row.status)) return;
    job.cancelled = jobErrors.CANCELLED({ by });
    for (const id of [...(job.children ?? [])]) {
      const child = live.get(id);
      if (child) void cancelLive(child, ' because its parent was');
    }
    if (job.task && lanes.remove(job.task)) return endCancelled(job, job.cancelled);
    job.controller?.abort(job.cancelled);
  };

  const cancel = async (id: string, by = ''): Promise<boolean> => {
    const job = live.get(id);
    if (!job) return (await ledger.get(id)) !== undefined;
    await cancelLive(job, by);
    return true;
  };

  const admission: Admission = (tool, args, call, run) => {
    const answer = closed ? undefined : admits(tool, call);
    if (answer === undefined) return undefined;
    const main = tool.affinity === 'main';
    const jobId = ids.uuid();
    const row = start({
      jobId,
      tool: tool.name,
      // Jobs of the main thread take turns whichever tool they are of.
      lane: main ? 'affinity main' : `tool ${tool.name}`,
      laneLimit: main ? 1 : config.max_running_jobs_per_tool,
      parent: call.job,
      sessionId: call.session?.id,
      owner: askers.of(call).owner,
      // Who waits hears of progress on the stream of the request, and after its answer no more.
      progressToken: answer === 'receipt' ? progressTokenOf(call.meta) : undefined,
      requestId: call.rpc?.requestId,
      output: outputTarget(args),
      run: (job, signal, onProgress) =>
        run({
          timeoutMs: 0,
          signal,
          onProgress,
          onLog: (level, data) => tellLog(job, { level, logger: tool.name, data }),
          job: job.row.job_id,
          graceMs: config.job_cancel_grace_ms,
        }) as Promise<ToolResult & Record<string, unknown>>,
    });
    const told = answerOf(row, answer === 'end' ? live.get(jobId) : undefined, receiptAfterMs);
    if (!isPromise(told)) return told;
    // Whoever gives the call up before its answer gives up the job.
    const forget = call.onAbort(() => void cancel(jobId, ' by its caller'));
    return told.finally(() => void forget());
  };

  /** While the first row is not stored a job is not known. */
  const get = (id: string): Awaitable<JobRow | undefined> => {
    const job = live.get(id);
    return job ? job.shown : ledger.get(id);
  };

  return {
    cancelGraceMs: config.job_cancel_grace_ms,
    admission,
    polls,
    get,
    newest: ledger.newest,
    async status(id, { includeResult = true } = {}) {
      const row = await get(id);
      return row && recordOf(row, includeResult, countFiles);
    },
    cancel: id => cancel(id),
    cancelRequest(sessionId, requestId) {
      const job = live.get(requests.find(sessionId, requestId) ?? '');
      if (job) void cancelLive(job, ' by its caller');
      return job !== undefined;
    },
    submit({ jobId = ids.uuid(), tool, session, asking = {}, parentJobId, run }: JobWork) {
      if (closed) throw jobErrors.CANCELLED({ by: ': the server is shutting down' });
      const row = start({
        jobId,
        tool,
        lane: `work ${tool}`,
        laneLimit: config.max_running_jobs_per_tool,
        parent: parentJobId,
        sessionId: session?.id,
        owner: askers.of(asking).owner,
        progressToken: undefined,
        output: null,
        mostBytes: config.max_result_bytes,
        run: (job, signal, progress) => run({ jobId: job.row.job_id, signal, progress }),
      });
      return after(row, ({ job_id }) => job_id);
    },
    registerPoll: polls.register,
    get active() {
      return { pending: lanes.pending + arriving, running: lanes.running };
    },
    prune: ledger.prune,
    announce: row => tell(row),
    async interrupt() {
      closed = true;
      lanes.close();
      const interrupted = [...live.values()].map(job => {
        const stored = end(job, { status: 'interrupted', error: restartText, result: null });
        job.controller?.abort(jobErrors.CANCELLED({ by: ': the server is shutting down' }));
        return stored;
      });
      await Promise.all(interrupted);
    },
    async close() {
      await this.interrupt();
      await ledger.close();
    },
  };
}
