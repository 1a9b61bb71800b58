/** What other plugins may use of background jobs. */
import type { IncomingMessage } from 'node:http';
import type { Awaitable, Disposer, RpcSession } from '../../kernel/index.ts';
import type { JobRecord, JobStatus } from '../../schemas/job.ts';

export { jobMigrations } from './migrations.ts';

export const terminalStates: readonly JobStatus[] = ['completed', 'failed', 'cancelled', 'interrupted'];
export const isTerminal = (status: JobStatus): boolean => terminalStates.includes(status);

/** Progress as reported; a total is known only when the tool said one. */
export interface ReportedProgress {
  current: number;
  total?: number;
  message?: string;
}

/** Where a job writes its files. */
export interface OutputTarget {
  dir: string;
  /** Lower case, with the dot; empty means every file. */
  extensions: readonly string[];
}

/** One stored job. Timestamps are RFC 3339, UTC. */
export interface JobRow {
  readonly job_id: string;
  readonly parent_job_id: string | null;
  /** Whose it is; null where nobody had to say who he is. */
  readonly owner: string | null;
  readonly tool: string;
  readonly status: JobStatus;
  readonly progress: ReportedProgress | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly error: string | null;
  /** JSON text of the CallToolResult. */
  readonly result: string | null;
  /** From the launch arguments. */
  readonly output: OutputTarget | null;
}

/** How a job type is polled. */
export interface PollContract {
  owner: 'core' | 'adapter';
  tool: string;
  /** Default `job_id`. */
  argument_field?: string;
  output?: { dir: string; extensions: readonly string[] };
}

/** As much of a request as says who asks. */
export interface Asking {
  readonly http?: IncomingMessage | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Who sees the jobs of an owner, those of nobody, and with `behind` those of all whose name begins with his. */
export interface Whose {
  readonly owner: string;
  readonly behind: boolean;
}

/** Work that is no tool call, run as a job; the promise settles after the signal aborts. */
export interface JobWork {
  /** Default: a UUID. */
  jobId?: string | undefined;
  /** Name shown as the job's tool. */
  tool: string;
  session?: RpcSession | undefined;
  /** Who asked for it. */
  asking?: Asking | undefined;
  parentJobId?: string | undefined;
  run(work: {
    jobId: string;
    signal: AbortSignal;
    progress(current: number, total?: number, message?: string): void;
  }): Promise<Record<string, unknown>>;
}

export type JobUpdate = Pick<
  JobRow,
  'job_id' | 'parent_job_id' | 'tool' | 'status' | 'started_at' | 'completed_at' | 'error'
>;

/** What the work of a job said to its caller, once its request was answered. */
export type JobLog = { job_id: string; level: string; logger: string; data: unknown };

export type JobReport = { job_id: string; progress: ReportedProgress };

/** What happens to jobs is told on the bus: `job.updated`, `internal.job.progressed` (events.ts). */
export interface JobsService {
  /** How long a cancelled job may take to end by itself. */
  readonly cancelGraceMs: number;
  /** The record of a job, without looking at the disk; undefined when it is not known. */
  get(id: string): Awaitable<JobRow | undefined>;
  /** The last that were created, the newest first, without their results; of those that `whose` sees. */
  newest(limit: number, whose?: Whose): Promise<JobRow[]>;
  /** The envelope of jobs_get_status, reconciled with the files on disk. */
  status(id: string, options?: { includeResult?: boolean }): Promise<JobRecord | undefined>;
  /** Asks a job and its children to stop; false when it is not known. A terminal job stays what it is. */
  cancel(id: string): Promise<boolean>;
  /** Runs work that is no tool call as a job; its id is the answer, once the job is stored. */
  submit(work: JobWork): Awaitable<string>;
  /** Registers how a job type is polled, replacing an earlier registration; throws SVC_JOBS_POLL_INVALID. */
  registerPoll(jobType: string, contract: PollContract): Disposer;
  /** Jobs that are not terminal. */
  readonly active: { pending: number; running: number };
}

declare module 'fastify' {
  interface FastifyInstance {
    jobs: JobsService;
  }
}
