/** Failures of the command line itself. */
import { defineErrors } from '../kernel/light.ts';

export const cliErrors = defineErrors('SVC_CLI', {
  COMMAND_UNKNOWN: { rpc: null, http: 400, template: '"{command}" is no command of {program}. {hint}' },
  FLAG_UNKNOWN: { rpc: null, http: 400, template: '{flag} is no flag of {command}. {hint}' },
  NO_CAPTURES: {
    rpc: null,
    http: 400,
    template:
      '{path} holds no captured call ({skipped} lines are no frames): SVC_TRAFFIC_CAPTURE=jsonl:<path> makes one',
  },
  NOTHING_TO_REPLAY: { rpc: null, http: 400, template: 'No call of {path} that was asked for can be sent again' },
  CANCELLED: { rpc: null, http: 499, template: 'Ended before it was done' },
  NO_JSON: { rpc: null, http: 502, template: '{url} is no gateway: it answered with status {status} and no JSON' },
  NOT_RUNNING: { rpc: null, http: 404, template: 'Nothing that runs is called "{which}": {hint}' },
  NO_GATEWAY: { rpc: null, http: 503, template: 'No gateway runs: a server starts it, see svc-server serve' },
  OUTPUT_LOST: { rpc: null, http: 500, template: 'Standard output cannot be written: {reason}' },
  FLAG_INVALID: { rpc: null, http: 400, template: 'Invalid value for {flag}: {reason}' },
  PATH_MISSING: { rpc: null, http: 404, template: '{what} {path} does not exist: check the spelling' },
  PATH_UNREADABLE: { rpc: null, http: 403, template: '{what} {path} cannot be read: check its permissions' },
  NOT_A_DIRECTORY: { rpc: null, http: 400, template: '{what} {path} is not a directory' },
  SKILLS_INVALID: { rpc: null, http: 400, template: '{invalid} of {total} skill directories are invalid' },
  PIDFILE_UNWRITABLE: {
    rpc: null,
    http: 403,
    template: 'The pidfile {path} cannot be written ({reason}): choose a path that this user may write',
  },
  DAEMON_FAILED: {
    rpc: null,
    http: 500,
    template: 'The daemon did not start: {reason}. Without --daemon it says more',
  },
  UNREACHABLE: { rpc: null, http: 503, template: '{url} does not answer: {reason}' },
  UNAUTHORIZED: { rpc: null, http: 401, template: '{url} asks for a token that is good there: {how}{said}' },
  SCOPE: { rpc: null, http: 403, template: '{message} ({url}). For a token that is good for it, {how}' },
  FORBIDDEN: { rpc: null, http: 403, template: '{url} lets nobody in without the right token (status {status})' },
  NO_MCP: {
    rpc: null,
    http: 502,
    template: '{url} is no MCP endpoint: it answered with status {status} and no message',
  },
  NOTHING_RUNS: {
    rpc: null,
    http: 503,
    template:
      'No server of this user runs: start one (svc-server serve, svc-server skills dev), or name one with --url',
  },
  TOOL_UNKNOWN: { rpc: null, http: 404, template: 'No tool "{tool}" at {where}' },
  TOOL_AMBIGUOUS: {
    rpc: null,
    http: 409,
    template: 'More than one server has a tool "{tool}", choose with --server or call by tool_slug: {choices}',
  },
  CALL_REFUSED: { rpc: null, http: 400, template: '{message}' },
  CALL_FAILED: { rpc: null, http: 500, template: '{message}' },
  TOOL_FAILED: { rpc: null, http: 500, template: '{message}' },
  CALL_TIMEOUT: {
    rpc: null,
    http: 504,
    template: '"{tool}" did not end within {timeout_secs} s: the call was taken back',
  },
  CALL_CANCELLED: { rpc: null, http: 499, template: 'The call of "{tool}" was taken back' },
  JOB_TIMEOUT: { rpc: null, http: 504, template: 'The job {job} did not end within {timeout_secs} s: it goes on' },
  FINDING_INVALID: { rpc: null, http: 400, template: 'The finding {file} cannot be used: {reason}' },
  CATALOG_INVALID: { rpc: null, http: 400, template: 'The catalogue {file} cannot be used: {reason}' },
  NO_ROUTE: { rpc: null, http: 404, template: 'Nobody is known to own this finding: {reason}' },
  ROUTE_CONFLICT: { rpc: null, http: 409, template: 'Who owns this finding is not clear: {reason}' },
  INSTALL_REPORT_INVALID: {
    rpc: null,
    http: 400,
    template: 'The report of the installation {file} cannot be used: {reason}',
  },
  FINDING_UNREVIEWED: {
    rpc: null,
    http: 400,
    template:
      'The finding {file} is not reviewed: the public may read it when redaction_status.mode is "public-safe", with every exclusion true',
  },
  FINGERPRINT_FOREIGN: {
    rpc: null,
    http: 409,
    template: 'The fingerprint of {file} is not that of {repo}, which owns the finding: there it is {fingerprint}',
  },
  AUTHORISATION: { rpc: null, http: 400, template: 'That is no authorisation to file: {reason}' },
  BODY_TOO_LARGE: {
    rpc: null,
    http: 400,
    template: 'The finding makes a text of {length} characters, a tracker takes {most}: shorten it',
  },
  TRACKER_MISSING: {
    rpc: null,
    http: 503,
    template: "The issue tracker's client gh is not on the PATH: install it from https://cli.github.com",
  },
  TRACKER_LOGIN: {
    rpc: null,
    http: 401,
    template: 'gh is not logged in to github.com ({what}): run gh auth login. Nothing was written',
  },
  TRACKER_TIMEOUT: {
    rpc: null,
    http: 504,
    template: 'gh took longer than {seconds} s ({what}) and was ended with all that it had started',
  },
  TRACKER_FAILED: { rpc: null, http: 502, template: 'gh failed ({what}): {reason}' },
  TRACKER_DATA: { rpc: null, http: 502, template: 'What gh answered cannot be used ({what}): {reason}' },
  TRACKER_TRUNCATED: {
    rpc: null,
    http: 409,
    template: 'More than {most} open issues have {fingerprint}: nobody can tell which one is meant',
  },
  FILING_DRIFT: {
    rpc: null,
    http: 409,
    template: 'Nothing was written: {what} was authorised as {was}, and is {is} now. Plan again',
  },
  FILING_RACED: {
    rpc: null,
    http: 409,
    template: 'Nothing was written: {issues} has the same finding. Close what is a duplicate, or plan again',
  },
  FILING_CLOSED: { rpc: null, http: 409, template: 'Nothing was written: issue {issue} is closed. Plan again' },
  FILING_BUSY: { rpc: null, http: 409, template: 'Nothing was written: {fingerprint} is being filed by another run' },
  FILED_ALREADY: {
    rpc: null,
    http: 409,
    template: 'Nothing was written: it was filed before, see https://github.com/{repo}/issues/{issue}',
  },
  FILING_UNSURE: {
    rpc: null,
    http: 409,
    template:
      'Nothing was written, because it may have been filed before: {reason}. Look at https://github.com/{repo}/issues, then remove {file}',
  },
  RECEIPT_INVALID: {
    rpc: null,
    http: 502,
    template: 'Whether {url} has the report is not known: its receipt does not fit, {reason}',
  },
  SHUTDOWN_TIMEOUT: {
    rpc: null,
    http: 504,
    template: 'The server did not stop within {timeout_ms} ms and was ended',
  },
});
