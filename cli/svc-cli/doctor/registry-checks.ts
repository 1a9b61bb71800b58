/** What stands in the registry directory: rows, files that were moved aside, the lock of who launches the gateway. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryInspection } from '../../../plugins/instances/registry/api.ts';
import { rowsFolder } from '../../../plugins/instances/registry/api.ts';
import { lives } from '../../state.ts';
import { type Check, ok, quoted, warning } from './check.ts';

export function rowChecks(directory: string, { rows, unreadable, quarantined }: RegistryInspection): Check[] {
  const folder = rowsFolder(directory);
  const dead = rows.filter(each => each.alive === false);
  const checks = unreadable.map(({ file, reason }) =>
    warning('instances', `${join(folder, file)} is no row: ${reason}`, `cat ${quoted(join(folder, file))}`),
  );
  if (dead.length > 0) {
    const pids = dead.map(each => each.row.pid).join(', ');
    const message = `${dead.length} of ${rows.length} rows are of processes that have ended (pid ${pids}): the next server removes them`;
    checks.push(warning('instances', message, 'svc-server status'));
  }
  if (quarantined.length > 0) {
    const aside = join(directory, 'quarantine');
    const message = `${quarantined.length} files that were no rows were moved to ${aside}`;
    checks.push(warning('quarantine', message, `ls -l ${quoted(aside)}`));
  }
  return checks.length > 0 ? checks : [ok('instances', `${rows.length} registered on this machine`)];
}

/** Age after which others take the launch lock for themselves, unless `gateway_launch_lock_stale_secs` says otherwise. */
export async function lockCheck(directory: string, staleSecs: number): Promise<Check[]> {
  const path = join(directory, 'gateway-launch.lock');
  const found = await stat(path).catch(() => undefined);
  if (!found) return [];
  const pid = await readFile(path, 'utf8')
    .then(text => (JSON.parse(text) as { pid?: unknown }).pid)
    .catch(() => undefined);
  const age = Math.round((Date.now() - found.mtimeMs) / 1000);
  const remove = `rm ${quoted(path)}`;
  if (typeof pid === 'number' && !lives(pid)) {
    return [warning('locks', `${path} is held by process ${pid}, which has ended`, remove)];
  }
  if (Math.abs(age) >= staleSecs) return [warning('locks', `${path} is ${age} s old`, remove)];
  return [ok('locks', `process ${pid ?? 'unknown'} launches the gateway`)];
}
