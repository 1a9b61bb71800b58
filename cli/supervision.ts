/** Who runs this program and would start it again: then a restart is theirs. */
import { readFileSync } from 'node:fs';

/** What restarts it there; nothing when nobody looks after it. */
export function supervisorOf(env: NodeJS.ProcessEnv = process.env, pid = process.pid): string | null {
  // systemd names the very process that it started: what that one starts inherits the rest.
  if (env.SYSTEMD_EXEC_PID === String(pid)) return 'systemd (systemctl restart)';
  const name = env.SUPERVISOR_PROCESS_NAME;
  if (name !== undefined && isSupervisor(process.ppid)) return `supervisor (supervisorctl restart ${name})`;
  return pid === 1 ? 'its container' : null;
}

function isSupervisor(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('supervisord');
  } catch {
    return false;
  }
}
