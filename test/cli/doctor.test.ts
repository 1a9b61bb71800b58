import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { quoted } from '../../cli/svc-cli/doctor/check.ts';
import { clockCheck, directoryCheck } from '../../cli/svc-cli/doctor/machine.ts';
import { holderInLsof, holderInNetstat } from '../../cli/svc-cli/doctor/port-holder.ts';
import { storeChecks } from '../../cli/svc-cli/doctor/program-checks.ts';
import { lockCheck } from '../../cli/svc-cli/doctor/registry-checks.ts';
import { tempDir } from '../helper.ts';
import { rig } from '../plugins/jobs/support.ts';

test('the clock: before this program, behind its files, apart from the gateway', () => {
  const now = Date.UTC(2026, 5, 1);
  const level = (given: Parameters<typeof clockCheck>[0]) => clockCheck(given).level;
  expect(level({ now, written: [now + 30_000] })).toBe('ok');
  expect(level({ now, written: [], other: { says: now, heard: now + 1000 } })).toBe('ok');
  expect(level({ now: 0, written: [] })).toBe('error');
  expect(level({ now, written: [now + 90_000] })).toBe('warning');
  expect(level({ now, written: [], other: { says: now, heard: now - 90_000 } })).toBe('warning');
});

test('who has a port is read from what lsof and netstat write', () => {
  expect(holderInLsof('p4711\ncnode\nf21\n')).toEqual({ pid: 4711, name: 'node' });
  expect(holderInLsof('')).toBeUndefined();
  const netstat = [
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    127.0.0.1:97650        0.0.0.0:0              ABHÖREN         1',
    '  TCP    127.0.0.1:50000        127.0.0.1:9765         HERGESTELLT     2',
    '  TCP    127.0.0.1:9765         0.0.0.0:0              ABHÖREN         4712',
  ].join('\r\n');
  expect(holderInNetstat(netstat, 9765)).toEqual({ pid: 4712 });
  expect(holderInNetstat(netstat, 9766)).toBeUndefined();
});

test('a launch lock is stale by its age or its holder; one that is held is fine', async () => {
  const directory = await tempDir();
  expect(await lockCheck(directory, 30)).toEqual([]);
  const lock = join(directory, 'gateway-launch.lock');
  await writeFile(lock, JSON.stringify({ pid: process.pid }));
  expect(await lockCheck(directory, 30)).toMatchObject([{ level: 'ok' }]);
  expect(await lockCheck(directory, 0)).toMatchObject([{ level: 'warning', next: `rm ${quoted(lock)}` }]);
});

test('a file where a folder belongs is named; a path may hold a quote', async () => {
  const path = join(await tempDir(), "it's");
  await writeFile(path, '');
  expect(await directoryCheck('state', path)).toMatchObject({ level: 'error', next: `ls -ld ${quoted(path)}` });
  expect(quoted("it's")).toBe("'it'\\''s'");
});

test('a job store that was closed is sound, one of a newer version is named; nothing is made beside them', async () => {
  const directory = await tempDir();
  const path = join(directory, 'jobs.db');
  expect(await storeChecks([path, join(directory, 'a/b/jobs.db')])).toMatchObject([
    { level: 'ok', message: expect.stringContaining('not there yet') },
    { level: 'ok', message: expect.stringContaining('not there yet') },
  ]);
  const { app } = await rig({ job_storage_path: path });
  expect(await storeChecks([path])).toMatchObject([{ message: expect.stringContaining('in use') }]);
  await app.close();
  const names = await readdir(directory);
  expect(await storeChecks([path, path])).toMatchObject([
    { level: 'ok', message: expect.stringContaining('is sound') },
  ]);
  const newer = new Sqlite(path);
  newer.prepare('INSERT INTO kysely_migration VALUES (?, ?)').run('9999-future', 'x');
  newer.close();
  expect(await storeChecks([path])).toMatchObject([
    { level: 'error', message: expect.stringContaining('9999-future') },
  ]);
  expect(await readdir(directory)).toEqual(names);
  await mkdir(join(directory, 'folder.db'));
  expect(await storeChecks([join(directory, 'folder.db')])).toMatchObject([{ level: 'error' }]);
});
