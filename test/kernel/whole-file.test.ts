import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole } from '../../kernel/index.ts';
import { tempDir } from './support.ts';

test('a file is whole for whoever reads it, whatever writers there are, and nothing else stays', async () => {
  const folder = await tempDir('svc-whole-');
  const file = join(folder, 'some.json');
  const texts = ['a', 'b', 'c'].map(letter => letter.repeat(300_000));
  let done = false;
  const seen = new Set<string>();
  const reading = (async () => {
    while (!done) seen.add(await readFile(file, 'utf8').catch(() => ''));
  })();
  for (let round = 0; round < 5; round += 1) await Promise.all(texts.map(text => writeWhole(file, text)));
  done = true;
  await reading;
  for (const text of seen) expect(['', ...texts]).toContain(text);
  expect(await readdir(folder)).toEqual(['some.json']);
});

test('a missing folder is made; modes are as asked', async () => {
  const folder = await tempDir('svc-whole-');
  const file = join(folder, 'deep', 'er', 'x');
  await writeWhole(file, new Uint8Array([1, 2]), { mode: 0o600, folderMode: 0o700 });
  expect([...(await readFile(file))]).toEqual([1, 2]);
  if (process.platform === 'win32') return;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
});

test('what cannot be put in place leaves nothing behind', async () => {
  const folder = await tempDir('svc-whole-');
  await mkdir(join(folder, 'taken', 'by-a-folder'), { recursive: true });
  await expect(writeWhole(join(folder, 'taken'), 'x')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['taken']);
});
