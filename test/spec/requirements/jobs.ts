/** Rules of "Job record", "Job states", "Job admission", the `jobs_*` tools and the notifications of jobs. */
import { decided, section } from '../requirement.ts';

const builtins = section('builtin', 'Built-in tools of every server', {
  jobs_get_status: 'jobs_get_status polls a job.',
  'jobs_get_status-input': 'It takes job_id, include_logs (no effect) and include_result (default true).',
  'jobs_get_status-output': 'Its text mirrors structuredContent, the job record.',
  'jobs_get_status-listed': 'It is listed unconditionally, with its annotations.',
  'jobs_get_status-gateway': 'It stays callable through the gateway while a host is temporarily not ready.',
  jobs_cleanup: 'jobs_cleanup prunes terminal jobs older than older_than_hours (default 24); 0 purges all of them.',
  'jobs_cleanup-output': 'It returns removed and older_than_hours, with its annotations.',
  jobs_poll_contract: 'jobs_poll_contract tells how a job type is polled, and lists all types without job_type.',
  'jobs_poll_contract-unregistered': 'An unknown job type answers registered false with a reason and a hint.',
  'jobs_poll_contract-register': 'A result that declares a poll descriptor with one argument registers a type.',
  'jobs_poll_contract-refused': 'A descriptor with more than one argument field is rejected.',
  'jobs_poll_contract-direct': 'The adapter may register a type directly.',
});

const admission = section('admission', 'Job admission', {
  async: 'A tool declared execution async, or a call with dcc.async true, becomes a background job.',
  token: 'A string or number progress token opts a call in; null, boolean, array and object do not.',
  alias: 'The REST alias progress_token is masked by a present progressToken even when null.',
  receipt: 'The answer is then a receipt with job_id.',
  'timeout-hint': 'timeout_hint_secs is a hint only and does not change how a call is run.',
  sync: decided(
    'A declaration of the author counts more than a token.',
    'From 2025-06-18 on a tool declared execution sync is not made a job by a token; before, and over REST, it is.',
  ),
});

const record = section('job', 'Job record', {
  fields: 'A record has job_id, parent_job_id, tool, status, its timestamps, progress and error.',
  timestamps: 'started_at is set once the job leaves pending, completed_at once it is terminal, all in ISO 8601.',
  parent: 'A job that a job started names its parent.',
  result: 'result is there only when the job is terminal and include_result is true.',
  total: 'total is never below current.',
  'progress-sane': decided('Issue: jobs.', 'Progress that runs backwards or is no finite number is dropped.'),
  disk: 'A job that declares output_dir is reconciled with the files on disk when it is read.',
  'disk-extensions': 'output_extensions says which files count.',
  'disk-terminal': 'The directory of a terminal job is read from its result, that of a running one from its arguments.',
  'reported-current': 'reported_current is present when the disk count and the reported count disagree.',
  reported: 'A job that declares no directory keeps its reported counter.',
});

const states = section('job-state', 'Job states', {
  completed: decided('See shape:job.', 'A job goes from pending to running to completed.'),
  failed: decided('See shape:job.', 'A job whose tool fails is failed, with the text of the failure.'),
  cancelled: decided('DELETE /v1/jobs/{id}; cancelled once acknowledged.', 'A cancelled job ends as cancelled.'),
  'cancel-request': decided(
    'Issue: jobs.',
    'notifications/cancelled with the id of the call that became a job cancels the job, after the receipt too.',
  ),
  'cancel-children': decided('See shape:job.', 'Cancelling a job cancels the jobs that it started.'),
  'cancel-acknowledged': decided(
    'See shape:job.',
    'A job is cancelled once its work has ended, not when it was asked to.',
  ),
  'cancel-hard': decided(
    'job_cancel_grace_ms.',
    'Work that goes on after a cancel is ended with its worker or processes.',
  ),
  'result-bound': decided('max_result_bytes.', 'A result that is too large fails its job with what to do instead.'),
  'restart-drop': 'Rows left pending or running are interrupted at start with the error "server restart".',
  'restart-told': 'A job-updated change is emitted for every interrupted row.',
  'restart-requeue': 'job_recovery requeue behaves as drop, and a warning is logged.',
  cleanup: 'jobs_cleanup never removes pending and running rows.',
  retention: 'At start terminal rows older than job_retention_hours are removed.',
  'retention-failure': 'A failed pruning leaves rows unchanged and is reported in job_persistence.',
  mapping: 'Progress notifications say 0 for pending, 10 for running and 100 for terminal states.',
});

const notifications = section('notify', 'MCP notifications', {
  progress: 'notifications/progress is sent for a job that a valid progress token is bound to.',
  'job-updated': 'notifications/$/dcc.jobUpdated is sent once per transition, with its payload.',
  'job-switch': 'enable_job_notifications false silences the $/dcc channels and leaves progress.',
  'workflow-updated': 'notifications/$/dcc.workflowUpdated tells of the steps of a workflow.',
});

export const jobs = [...builtins, ...admission, ...record, ...states, ...notifications];
