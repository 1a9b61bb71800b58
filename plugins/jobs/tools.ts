/** The built-in tools jobs_get_status, jobs_cleanup and jobs_poll_contract (specification: Built-in tools), and jobs_cancel. */
import { builtin, parameters, reads } from '../../schemas/builtin-tool.ts';
import type { ToolCall, ToolEntry, ToolResult } from '../tools/api.ts';
import { isTerminal, type JobRow } from './api.ts';
import type { Askers } from './askers.ts';
import { jobErrors } from './errors.ts';
import { timestampOf } from './job.ts';
import type { Jobs } from './jobs.ts';

const removes = { ...reads, read_only_hint: false, destructive_hint: true };
const hourMs = 3_600_000;

const cancelJob = builtin(
  'jobs_cancel',
  'Cancel job',
  [
    'Asks a background job, and the jobs that it started, to stop.',
    'When to use: the result of a job is not wanted any more.',
    'How to use: pass job_id. A job has stopped when jobs_get_status says cancelled; one that ended before stays what it',
    'is, and cancel_requested is false.',
  ],
  parameters({ job_id: { type: 'string', description: 'Id from the receipt.' } }, ['job_id']),
  removes,
);

export function jobTools(
  jobs: Pick<Jobs, 'get' | 'status' | 'cancel' | 'prune' | 'polls'>,
  now: () => number,
  askers: Askers,
): ToolEntry[] {
  /** Another's is none. */
  const own = async (id: string, call: ToolCall) => {
    const row = await jobs.get(id);
    return row && askers.of(call).sees(row) ? row : undefined;
  };
  return [
    {
      definition: builtin(
        'jobs_get_status',
        'Job status',
        [
          'Tells the state, the progress and, once it ended, the result of a background job.',
          'When to use: a call answered with a receipt that holds a job_id; poll until status is completed, failed,',
          'cancelled or interrupted, and do not send the call again.',
          'How to use: pass job_id; set include_result to false while you only wait.',
        ],
        parameters(
          {
            job_id: { type: 'string', description: 'Id from the receipt.' },
            include_logs: { type: 'boolean', default: false, description: 'Accepted, has no effect.' },
            include_result: { type: 'boolean', default: true, description: 'Return the result of a job that ended.' },
          },
          ['job_id'],
        ),
      ),
      handler: async ({ job_id, include_result }, call) => {
        const id = String(job_id);
        const record = (await own(id, call)) && (await jobs.status(id, { includeResult: include_result !== false }));
        return record ? structured(record) : unknown(id);
      },
    },
    {
      definition: builtin(
        'jobs_cleanup',
        'Clean up jobs',
        [
          'Removes the records of background jobs that ended some time ago.',
          'When to use: old jobs are in the way; pending and running jobs are never removed.',
          'How to use: pass older_than_hours; 0 removes every job that has ended.',
        ],
        parameters({
          older_than_hours: {
            type: 'integer',
            minimum: 0,
            default: 24,
            description: 'Hours since the last change of a job; 0 means all that ended.',
          },
        }),
        removes,
      ),
      handler: async ({ older_than_hours = 24 }, call) => {
        if (!askers.of(call).all) throw jobErrors.CLEANUP_SCOPE();
        const hours = Number(older_than_hours);
        // Beyond the range of dates nothing is old enough.
        const before = hours === 0 ? latest : timestampOf(Math.max(0, now() - hours * hourMs));
        return { removed: await jobs.prune(before), older_than_hours: hours };
      },
    },
    {
      definition: builtin(
        'jobs_poll_contract',
        'Poll contract',
        [
          'Tells which tool and argument poll the jobs of a launching tool, and where they write files.',
          'When to use: a tool started work that the host itself tracks, and you do not know how to follow it.',
          'How to use: pass job_type, the name of the launching tool, or omit it to list all.',
        ],
        parameters({
          job_type: { type: 'string', description: 'Name of the launching tool; omit it to list every job type.' },
        }),
      ),
      handler: ({ job_type }) => jobs.polls.answer(job_type as string | undefined),
    },
    {
      definition: cancelJob,
      handler: async ({ job_id }, call) => cancelled(jobs, String(job_id), await own(String(job_id), call)),
    },
  ];
}

async function cancelled(
  jobs: Pick<Jobs, 'get' | 'cancel'>,
  job_id: string,
  before: JobRow | undefined,
): Promise<ToolResult> {
  if (!before) return unknown(job_id);
  await jobs.cancel(job_id);
  const { status } = (await jobs.get(job_id)) ?? before;
  return structured({ job_id, status, cancel_requested: !isTerminal(before.status) });
}

/** Structured in every revision: the specification asks for it, and it speaks 2025-03-26. */
const structured = (value: object): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: { ...value },
});

const unknown = (id: string): ToolResult => {
  const { message } = jobErrors.NOT_FOUND({ job_id: id.slice(0, 256), hint: unknownHint });
  return { content: [{ type: 'text', text: message }], isError: true };
};

/** Sorts after every timestamp. */
const latest = '~';

const unknownHint =
  'it never existed, was cleaned up, or belongs to another server. Take the job_id from the receipt of the call';
