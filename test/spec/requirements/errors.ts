/** Rules of "Errors" and "Limits". */
import { decided, deferred, section } from '../requirement.ts';

const errors = section('error', 'Errors', {
  object: 'A JSON-RPC error has code, message and data.',
  '-32600': 'An invalid request is -32600.',
  '-32601': 'An unknown method is -32601.',
  '-32602': 'Invalid params are -32602, with a message that names what is missing.',
  '-32603': 'An internal error is -32603.',
  '-32000': 'An unknown tool is -32000.',
  '-32001': 'Arguments that do not fit the input schema are -32001, and the message names the field.',
  '-32002': 'A handler that fails is -32002.',
  '-32700': decided('JSON-RPC 2.0.', 'A body that is not JSON is -32700.'),
  vetoed: 'A vetoed tool call is the structured error EVENT_VETOED.',
  'tool-reported': decided(
    'A tool that reports its own failure in the envelope is a result with isError, not a JSON-RPC error.',
    'success false in the output makes a result with isError.',
  ),
  'resources-codes':
    'For resources -32602 is a uri that is missing or malformed, -32603 a failed producer, -32002 a disabled backend.',
  'artefact-code': 'An artefact that is not stored is -32002, as is a disabled artefact scheme.',
  'unknown-job': 'An unknown job_id is a result with isError that names the id; no job is created.',
  'job-storage': 'job_storage_path without persistence fails start with a descriptive error; no fallback to memory.',
  'job-lease': 'A second process on the same job store fails closed, because of the <database>.lock lease.',
  feedback: 'Feedback fails closed and never falls back to local success.',
  'rest-envelope': decided(
    'See shape:envelope.',
    'A REST error has kind, message and request_id, and the status of its kind.',
  ),
});

const limits = section('limit', 'Limits', {
  sessions: 'Concurrent sessions are limited to 100 by default.',
  'session-idle': 'The idle lifetime of a session is 3600 s by default.',
  'request-timeout': 'The request timeout is 30000 ms by default.',
  'list-skills-page': 'A list_skills page has 25 rows by default and 50 at most; there is no unbounded page.',
  'builtin-description': 'The description of a built-in tool has at most 500 characters.',
  'parameter-description': 'The description of a parameter of a built-in tool has at most 100 characters.',
  'request-body': decided('4 MiB, 413 above.', 'A request body above the cap is refused.'),
  'batch-size': decided('max_batch_size, 100.', 'A batch above the cap is refused.'),
  'rate-limit': deferred('issue: security', 'Rate limits are not shown; none exists yet.'),
  heartbeat: 'Heartbeat and stale timeout of registry instances are 5 s and 30 s.',
  audit: 'The audit tail is 50 rows by default and 500 at most.',
  blob: decided(
    'max_resource_bytes, 8 MiB by default.',
    'Base64 resource blobs of about 5 MB are served, and far larger ones refused.',
  ),
  finding: 'The limits of Finding v1 and of feedback rows.',
  'feedback-files': deferred('issue: feedback', 'The limits of bundles and filing.'),
  'gateway-audit': 'Gateway audit rows are capped per file.',
  webhooks: 'The webhook queue is bounded by queue_capacity; newer events are dropped, and no call waits.',
});

export const errorsAndLimits = [...errors, ...limits];
