/** Rows of the error table that the jobs plugin owns. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const jobErrors = defineErrors('SVC_JOBS', {
  NOT_FOUND: { rpc: -32602, http: 404, kind: 'not-found', template: 'Job "{job_id}" is not known: {hint}' },
  ...alike([-32005, 429, 'throttled'], {
    TOO_MANY: '{limit} background jobs wait for their turn already (max_pending_jobs): try again when some have ended',
  }),
  ...alike([-32600, 403, 'insufficient-scope'], {
    CLEANUP_SCOPE: 'Cleaning up removes the jobs of everybody: it takes the scope "admin"',
  }),
  STORE_FAILED: { rpc: -32603, http: 503, template: 'The job store did not {action}: {reason}' },
  ...alike([null, 500], {
    NO_STORAGE:
      'job_storage_path is set, but this server was built without the storage plugin: add it to the plugin list or unset job_storage_path',
  }),
  CANCELLED: { rpc: -32002, http: 499, kind: 'job-cancelled', template: 'The job was cancelled{by}' },
  FAILED: { rpc: -32002, http: 500, kind: 'job-failed', template: 'The job failed: {reason}' },
  INTERRUPTED: { rpc: -32002, http: 503, kind: 'job-interrupted', template: 'The job was interrupted: {reason}' },
  POLL_INVALID: { rpc: -32602, http: 400, template: 'The poll contract is not valid: {reason}' },
});
