import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { buildApp, type Plugin } from '../../../kernel/index.ts';
import { jobsPlugin } from '../../../plugins/jobs/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { searchPlugin } from '../../../plugins/search/index.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { tempDir, testConfig } from '../../helper.ts';
import { plugins, rig } from '../jobs/support.ts';

/** The error that start fails with. */
async function refusal(job_storage_path: string, of: readonly Plugin[] = plugins): Promise<Error & { code?: string }> {
  const app = buildApp(testConfig({ job_storage_path }), of);
  const error = await app.ready().then(
    () => new Error('it started'),
    (thrown: Error) => thrown,
  );
  await app.close();
  expect(app.kernel.scope.list()).toEqual([]);
  return error;
}

test('a corrupt file, cut or scribbled over, is refused with what to do and never overwritten [spec:error:job-storage]', async () => {
  const dir = await tempDir();
  const path = join(dir, 'jobs.db');
  for (const content of ['no database at all', 'SQLite format 3\0'.padEnd(4096, 'x')]) {
    await writeFile(path, content);
    const error = await refusal(path);
    expect([error.code, error.message]).toEqual([
      'SVC_STORAGE_CORRUPT',
      expect.stringMatching(/jobs\.db.*(left as it is|left as it was)/),
    ]);
    expect(await readFile(path, 'latin1')).toBe(content);
  }
});

test('a database of a newer version, and one of another program, are refused and left as they were', async () => {
  const path = join(await tempDir(), 'jobs.db');
  const first = await rig({ job_storage_path: path });
  await first.app.close();
  const newer = new Sqlite(path);
  newer.prepare('INSERT INTO kysely_migration VALUES (?, ?)').run('9999-future', 'x');
  newer.pragma('wal_checkpoint(TRUNCATE)');
  newer.close();
  const before = await readFile(path);
  expect(await refusal(path)).toMatchObject({
    code: 'SVC_STORAGE_NEWER',
    message: expect.stringContaining('9999-future'),
  });
  expect((await readFile(path)).equals(before)).toBe(true);

  const foreign = join(await tempDir(), 'other.db');
  new Sqlite(foreign).exec('CREATE TABLE theirs (a)').close();
  const theirs = await readFile(foreign);
  expect(await refusal(foreign)).toMatchObject({ code: 'SVC_STORAGE_FOREIGN' });
  expect((await readFile(foreign)).equals(theirs)).toBe(true);
});

test('a directory in its place and a path that cannot be written fail start with a sentence', async () => {
  const dir = await tempDir();
  expect(await refusal(dir)).toMatchObject({
    code: 'SVC_STORAGE_IS_DIRECTORY',
    message: expect.stringMatching(new RegExp(`${dir}.*name a file`)),
  });
  await writeFile(join(dir, 'file'), '');
  expect(await refusal(join(dir, 'file', 'jobs.db'))).toMatchObject({
    code: 'SVC_STORAGE_UNWRITABLE',
    message: expect.stringContaining('choose a path'),
  });
});

test('Errors 3: a path without the storage plugin fails start and does not fall back to memory [spec:error:job-storage]', async () => {
  const path = join(await tempDir(), 'jobs.db');
  const error = await refusal(path, [searchPlugin, mcpPlugin, toolsPlugin, jobsPlugin]);
  expect(error).toMatchObject({
    code: 'SVC_JOBS_NO_STORAGE',
    message: expect.stringMatching(/job_storage_path.*storage plugin/),
  });
});

test('Errors 4: a second owner of the same store fails closed, also by another name of the file; closing frees it', async () => {
  const dir = await tempDir();
  const path = join(dir, 'jobs.db');
  const first = await rig({ job_storage_path: path });
  expect(await refusal(path)).toMatchObject({
    code: 'SVC_STORAGE_IN_USE',
    message: expect.stringMatching(/jobs\.db\.lock.*stop that process/),
  });
  await mkdir(join(dir, 'sub'));
  await symlink(path, join(dir, 'sub', 'alias.db'));
  expect((await refusal(join(dir, 'sub', 'alias.db'))).code).toBe('SVC_STORAGE_IN_USE');
  await first.app.close();
  const again = await rig({ job_storage_path: path });
  await again.app.close();
  await rm(path);
});
