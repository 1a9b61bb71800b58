import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countFiles, createFileCounter, diskBounds } from '../../../plugins/jobs/disk-count.ts';
import { outputTarget } from '../../../plugins/jobs/output-target.ts';
import { reconcile } from '../../../plugins/jobs/record.ts';
import { tempDir } from '../../helper.ts';
import { rig, tool } from './support.ts';

const files = (dir: string, ...names: string[]) => Promise.all(names.map(name => writeFile(join(dir, name), 'x')));

test('disk counters: regular files with the extensions, any case, dot optional; symlinks neither followed nor counted', async () => {
  const dir = await tempDir();
  const outside = await tempDir();
  await files(dir, 'a.png', 'b.PNG', 'c.exr', 'd.txt');
  await files(outside, 'x.png', 'y.png');
  await mkdir(join(dir, 'deep'));
  await files(join(dir, 'deep'), 'e.png');
  await symlink(outside, join(dir, 'link'));
  await symlink(join(outside, 'x.png'), join(dir, 'file.png'));
  const count = (extensions: string[]) =>
    countFiles(outputTarget({ output_dir: dir, output_extensions: extensions }) ?? { dir, extensions });
  expect(await count(['png'])).toBe(3);
  expect(await count(['.PNG', 'exr'])).toBe(4);
  expect(await count([])).toBe(5);
  expect(await countFiles({ dir: join(dir, 'missing'), extensions: [] })).toBeUndefined();
  expect(await countFiles({ dir: join(dir, 'a.png'), extensions: [] })).toBeUndefined();
  expect(await countFiles({ dir: join(dir, 'link'), extensions: [] })).toBeUndefined();
});

test('disk counters: at most 8 levels deep', async () => {
  const dir = await tempDir();
  let at = dir;
  for (let level = 1; level <= 10; level += 1) {
    await files(at, 'f.png');
    at = join(at, 'd');
    await mkdir(at);
  }
  expect(await countFiles({ dir, extensions: [] })).toBe(8);
});

test('Job record: the disk counts when it is ahead, reported_current stands whenever the counts disagree [spec:shape:poll]', () => {
  const reported = { current: 3, total: 10 };
  expect(reconcile(reported, 5)).toEqual({
    progress: { current: 5, total: 10 },
    counter_source: 'disk',
    reported_current: 3,
  });
  expect(reconcile(reported, 12).progress).toEqual({ current: 12, total: 12 });
  expect(reconcile(reported, 2)).toEqual({ progress: reported, counter_source: 'reported', reported_current: 3 });
  expect(reconcile(reported, 3)).toEqual({ progress: reported, counter_source: 'reported' });
  expect(reconcile(null, 4)).toEqual({ progress: { current: 4, total: 4 }, counter_source: 'disk' });
  expect(reconcile(reported, undefined)).toEqual({ progress: reported, counter_source: 'reported' });
  expect(reconcile(null, undefined)).toEqual({ progress: null });
});

test('output targets: every place of a result that may name the directory', () => {
  const target = { dir: '/out', extensions: ['.png'] };
  expect(outputTarget({ output_dir: '/out', output_extensions: ['PNG'] })).toEqual(target);
  expect(outputTarget({ output: { dir: '/out', extensions: ['.png'] } })).toEqual(target);
  expect(outputTarget({ context: { output_dir: '/out', output_extensions: ['png'] } })).toEqual(target);
  expect(outputTarget({ context: { output: { dir: '/out', extensions: ['png', 3] } } })).toEqual(target);
  expect(outputTarget({ result: { output_dir: '/out' } })).toEqual({ dir: '/out', extensions: [] });
  for (const none of [null, 'x', {}, { output_dir: 3 }, { output_dir: ' ' }]) expect(outputTarget(none)).toBeNull();
});

test('disk counters: the walk stops at 50,000 files, and gives no count when it takes more than two seconds', async () => {
  expect(diskBounds).toEqual({ maxDepth: 8, maxFiles: 50_000, maxMs: 2000 });
  const dir = await tempDir();
  for (const folder of ['a', 'b']) {
    await mkdir(join(dir, folder));
    await files(join(dir, folder), ...Array.from({ length: 30 }, (_, n) => `${n}.png`));
  }
  const target = { dir, extensions: [] };
  expect(await countFiles(target)).toBe(60);
  expect(await countFiles(target, { ...diskBounds, maxFiles: 50 })).toBe(50);
  expect(await countFiles(target, { ...diskBounds, maxFiles: 20 })).toBe(20);
  expect(await countFiles(target, { ...diskBounds, maxMs: -1 })).toBeUndefined();
});

test('disk counters: who asks for a folder that is being counted shares the count', async () => {
  const dir = await tempDir();
  await files(dir, 'a.png');
  const count = createFileCounter();
  const first = count({ dir, extensions: [] });
  expect(count({ dir, extensions: [] })).toBe(first);
  expect(count({ dir, extensions: ['.exr'] })).not.toBe(first);
  expect(await first).toBe(1);
  await files(dir, 'b.png');
  expect(await count({ dir, extensions: [] })).toBe(2);
});

test('disk counters: an output_dir that cannot be read leaves the reported counter, and the job its result', async () => {
  const { client, publish, ended } = await rig();
  const dir = await tempDir();
  await files(dir, 'file');
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  await symlink(join(dir, 'loop'), join(dir, 'loop'));
  publish(
    tool(
      'render',
      async (_args, call) => {
        call.progress(2, 5);
        return { rendered: true };
      },
      { execution: 'async' },
    ),
  );
  const unreachable = [
    join(dir, 'missing', 'deeper'),
    join(dir, 'file', 'below'),
    join(dir, 'pipe'),
    join(dir, 'loop'),
    '/proc/1/task/none',
    `/${'x'.repeat(5000)}`,
    'nul\0byte',
    '\\\\server\\share',
    'http://example.invalid/frames',
  ];
  for (const output_dir of unreachable) {
    const record = await ended((await client.value('render', { output_dir })).job_id);
    expect(record, output_dir.slice(0, 40)).toMatchObject({
      status: 'completed',
      progress: { current: 2, total: 5 },
      counter_source: 'reported',
      result: { structuredContent: { rendered: true } },
    });
    expect(record).not.toHaveProperty('reported_current');
  }
});
