/** Settings of background jobs: how many, how large, what stays of them. */
import { type Static, Type } from 'typebox';
import { count, optionalPath, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  job_storage_path: optionalPath('path of persistent job storage'),
  job_recovery: Type.Enum(['drop', 'requeue'], {
    default: 'drop',
    description: 'what becomes of jobs left by a previous run; `requeue` behaves as `drop`',
  }),
  job_retention_hours: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    default: null,
    description: 'startup pruning age for terminal jobs',
  }),
  max_running_jobs: count(32, 'most background jobs that run at once, the jobs of jobs apart', 1),
  max_running_jobs_per_tool: count(8, 'most background jobs of one tool that run at once', 1),
  max_pending_jobs: count(10000, 'most background jobs that wait for their turn', 1),
  max_kept_jobs: count(10000, 'finished jobs kept in memory, the newest', 1),
  job_cancel_grace_ms: count(
    5000,
    'how long a cancelled job may take to end by itself before its skill worker is ended',
    1,
    600000,
  ),
  job_receipt_after_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    default: null,
    description:
      'from 2025-06-18 on: how long a call with a progress token waits for its result before it is answered with a receipt; ' +
      'two seconds less than `request_timeout_ms` by default',
  }),
  max_result_bytes: shared.max_result_bytes,
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
