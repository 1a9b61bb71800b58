/** Programs that run, and those that ended without saying so: their records, their job stores, their skills. */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isSvcError, messageOf } from '../../../kernel/light.ts';
import { jobMigrations } from '../../../plugins/jobs/api.ts';
import { inspectDatabase } from '../../../plugins/storage/api.ts';
import { conditionOf, remarksOn } from '../../condition.ts';
import type { Running, RunRecord } from '../../running.ts';
import { lives, runFolder } from '../../state.ts';
import { type Check, failed, ok, quoted, warning } from './check.ts';

/** What a program says of itself, and what the next thing to run is where that is not good. */
export function programChecks(running: Running): Check[] {
  const { kind, name, instance_id, health } = running;
  const check = `${kind} ${name}`;
  const condition = conditionOf(running);
  const logs = `svc-server logs ${kind === 'gateway' ? 'gateway' : name}`;
  const found = [
    condition === 'ok'
      ? ok(check, `${running.url}: ok`)
      : failed(check, `${running.url}: ${condition}`, running.log_file === null ? 'svc-server status' : logs),
  ];
  for (const remark of remarksOn(running)) found.push(warning(check, remark, `svc-server restart ${name}`));
  const { refused = 0 } = (health?.skills ?? {}) as { refused?: number };
  if (refused > 0) {
    const id = instance_id?.slice(0, 8) ?? name;
    const next = `svc-server call list_skills --server ${id} --json '{"status":"skipped"}'`;
    found.push(warning('skills', `${name} refused ${refused} skill ${refused === 1 ? 'package' : 'packages'}`, next));
  }
  return found;
}

/** Programs that were killed left their record and their socket. */
export async function recordChecks(records: readonly RunRecord[]): Promise<Check[]> {
  const folder = runFolder();
  const names = await readdir(folder).catch(() => []);
  const dead = records.filter(each => !lives(each.pid));
  const damaged = names.filter(each => each.endsWith('.json')).length - records.length;
  const checks: Check[] = dead.map(({ kind, name, pid, log_file }) =>
    warning(
      'records',
      `${kind} ${name} (pid ${pid}) ended without saying so`,
      // One that was cut off has none either.
      log_file ? `tail ${quoted(log_file)}` : 'svc-server status',
    ),
  );
  if (damaged > 0) {
    checks.push(warning('records', `${damaged} files in ${folder} are no records`, `ls -l ${quoted(folder)}`));
  }
  const known = new Set(records.map(each => `${each.pid}.sock`));
  const sockets = names.filter(each => each.endsWith('.sock') && !known.has(each) && !lives(Number.parseInt(each, 10)));
  if (sockets.length > 0) {
    const message = `${sockets.length} sockets in ${folder} are of programs that have ended: they do no harm`;
    checks.push(warning('locks', message, `rm ${sockets.map(each => quoted(join(folder, each))).join(' ')}`));
  }
  return checks.length > 0 ? checks : [ok('records', `${records.length} programs of this user`)];
}

/** Job stores of servers that are down: of those that were killed, and of the one that these settings would start. */
export async function storeChecks(paths: readonly string[]): Promise<Check[]> {
  const unique = [...new Set(paths.map(each => resolve(each)))];
  return Promise.all(unique.map(storeCheck));
}

async function storeCheck(path: string): Promise<Check> {
  try {
    const state = await inspectDatabase(path, Object.keys(jobMigrations));
    const told = {
      missing: 'is not there yet: the server makes it',
      in_use: 'is in use by a server that runs',
      sound: 'is sound',
      unchecked: 'was not closed by its last server: the next one takes in its last writes',
    }[state];
    return ok('job store', `${path} ${told}`);
  } catch (error) {
    const code = isSvcError(error) ? error.code : '';
    const next = code === 'SVC_STORAGE_NOT_BUILT' ? 'npm rebuild better-sqlite3' : `ls -l ${quoted(path)}*`;
    return failed('job store', messageOf(error), next);
  }
}
