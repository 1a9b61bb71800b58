import { spawnSync } from 'node:child_process';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptDays, keptPrograms, pruneLogs } from '../../cli/log-prune.ts';
import { tempDir } from '../helper.ts';

/** Process ids that nobody has: of processes that have ended. */
const dead = spawnSync(process.execPath, ['-e', '']).pid;

test('the logs of the latest programs stay for a while; those of programs that run, and what is no log, always', async () => {
  const folder = await tempDir();
  const now = Date.now();
  const write = async (name: string, agoMs: number): Promise<void> => {
    await writeFile(join(folder, name), 'a line\n');
    await utimes(join(folder, name), (now - agoMs) / 1000, (now - agoMs) / 1000);
  };
  const day = 86_400_000;
  // More of them than stay, each with a file that was turned over; names tell them apart, the process id need not.
  for (let age = 0; age < keptPrograms + 3; age += 1) {
    await write(`s${age}-${dead}.log`, age * 1000);
    await write(`s${age}-${dead}.log.1`, age * 1000 + 500);
  }
  await write(`old-${dead}.log`, (keptDays + 1) * day);
  await write(`live-${process.pid}.log`, (keptDays + 1) * day);
  await write(`live-${process.pid}.log.4`, (keptDays + 1) * day);
  await write('mine.log', 400 * day);
  await mkdir(join(folder, `folder-${dead}.log`));
  await pruneLogs(folder, now);
  const left = await readdir(folder);
  const kept = Array.from({ length: keptPrograms }, (_, age) => [
    `s${age}-${dead}.log`,
    `s${age}-${dead}.log.1`,
  ]).flat();
  const others = [`live-${process.pid}.log`, `live-${process.pid}.log.4`, 'mine.log', `folder-${dead}.log`];
  expect(left.sort()).toEqual([...kept, ...others].sort());
  // A place that is not there is none to tidy.
  await pruneLogs(join(folder, 'none'));
});
