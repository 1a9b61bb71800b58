import { execFileSync } from 'node:child_process';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogFile } from '../../schemas/log-file.ts';
import { tempDir } from './support.ts';

test('a log file is turned over by size, four older ones are kept', async () => {
  const folder = await tempDir();
  const log = createLogFile(join(folder, 'a', 'svc.log'), 10);
  for (let line = 0; line < 9; line += 1) expect(log.write(`line ${line} is long\n`)).toBeUndefined();
  log.close();
  expect((await readdir(join(folder, 'a'))).sort()).toEqual(['svc.log', ...[1, 2, 3, 4].map(age => `svc.log.${age}`)]);
  const text = (name: string) => readFile(join(folder, 'a', name), 'utf8');
  expect([await text('svc.log'), await text('svc.log.4')]).toEqual(['line 8 is long\n', 'line 4 is long\n']);
});

test('a log file that was moved away is begun anew by the next line; two writers share one', async () => {
  const file = join(await tempDir(), 'svc.log');
  const [one, two] = [createLogFile(file, 0), createLogFile(file, 0)];
  one.write('1\n');
  two.write('2\n');
  await rename(file, `${file}.old`);
  one.write('3\n');
  two.write('4\n');
  one.close();
  two.close();
  expect([await readFile(`${file}.old`, 'utf8'), await readFile(file, 'utf8')]).toEqual(['1\n2\n', '3\n4\n']);
});

test.skipIf(process.platform !== 'linux')(
  'what cannot be written is said, and a pipe that nobody reads holds nobody',
  async () => {
    expect(createLogFile('/dev/full', 0).write('x\n')).toBe('ENOSPC');
    const folder = await tempDir();
    expect(createLogFile(folder, 0).write('x\n')).toBe('EISDIR');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(createLogFile(pipe, 0).write('x\n')).toBe('ENXIO');
  },
);
