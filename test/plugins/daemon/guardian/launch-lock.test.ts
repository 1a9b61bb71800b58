import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeLock } from '../../../../schemas/held-lock.ts';
import { tempDir } from '../../../helper.ts';

const name = 'gateway-launch.lock';
const staleMs = 30_000;
const takeLaunchLock = (folder: string, stale: number) => takeLock(join(folder, name), stale);

test('of many that reach for the lock at once one has it, and after its release another', async () => {
  const folder = await tempDir();
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeLaunchLock(folder, staleMs)));
  const locks = taken.filter(each => each !== undefined);
  expect(locks).toHaveLength(1);
  await locks[0]?.release();
  expect(await readdir(folder)).toEqual([]);
  expect(await takeLaunchLock(folder, staleMs)).toBeDefined();
});

test('a stale lock is reclaimed once, however many see it', async () => {
  const folder = await tempDir();
  const path = join(folder, name);
  for (const text of ['', 'not JSON', '{"token":"old","pid":1}']) {
    await writeFile(path, text);
    const old = Date.now() / 1000 - 31;
    await utimes(path, old, old);
    const taken = await Promise.all(Array.from({ length: 10 }, () => takeLaunchLock(folder, staleMs)));
    // A reclaimer that comes late may find the lock given back a moment too late, never twice taken.
    expect(taken.filter(each => each !== undefined).length).toBeLessThanOrEqual(1);
    const lock = taken.find(each => each !== undefined) ?? (await takeLaunchLock(folder, 0));
    await lock?.release();
    expect(await readdir(folder)).toEqual([]);
  }
});

test('a lock from the future, and a folder of its name, hold nobody up', async () => {
  const folder = await tempDir();
  const path = join(folder, name);
  const ahead = Date.now() / 1000 + 3600;
  await writeFile(path, JSON.stringify({ token: 'other', pid: process.pid }));
  await utimes(path, ahead, ahead);
  await (await takeLaunchLock(folder, staleMs))?.release();
  expect(await readdir(folder)).toEqual([]);
  await mkdir(join(path, 'inside'), { recursive: true });
  expect(await takeLaunchLock(folder, staleMs)).toBeUndefined();
  const old = Date.now() / 1000 - 31;
  await utimes(path, old, old);
  const lock = await takeLaunchLock(folder, staleMs);
  expect(lock).toBeDefined();
  await lock?.release();
  expect(await readdir(folder)).toEqual([]);
});

test('a fresh lock that says nothing yet is respected, and one of a living owner', async () => {
  const folder = await tempDir();
  for (const text of ['', JSON.stringify({ token: 'other', pid: process.pid })]) {
    await writeFile(join(folder, name), text);
    expect(await takeLaunchLock(folder, staleMs)).toBeUndefined();
    expect(await readFile(join(folder, name), 'utf8')).toBe(text);
  }
});

test('a lock that another has reclaimed is not released by its former owner', async () => {
  const folder = await tempDir();
  const lock = await takeLaunchLock(folder, staleMs);
  const other = JSON.stringify({ token: 'other', pid: process.pid });
  await writeFile(join(folder, name), other);
  await lock?.release();
  expect(await readFile(join(folder, name), 'utf8')).toBe(other);
});

test('a directory that does not exist rejects', async () => {
  await expect(takeLaunchLock(join(await tempDir(), 'missing'), staleMs)).rejects.toMatchObject({ code: 'ENOENT' });
});
