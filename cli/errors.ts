/** Failures of the command line itself. */
import { defineErrors } from '../kernel/light.ts';

export const cliErrors = defineErrors('SVC_CLI', {
  COMMAND_UNKNOWN: { rpc: null, http: 400, template: '"{command}" is no command of svc-server. {hint}' },
  NOT_RUNNING: { rpc: null, http: 404, template: 'Nothing that runs is called "{which}": {hint}' },
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
  SHUTDOWN_TIMEOUT: {
    rpc: null,
    http: 504,
    template: 'The server did not stop within {timeout_ms} ms and was ended',
  },
});
