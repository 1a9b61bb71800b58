/** Logs of launched daemons do not grow from launch to launch. */
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLauncher } from '../../../../plugins/daemon/guardian/launcher.ts';
import { tempDir, waitFor } from '../../../helper.ts';

test('a large log is kept aside when the next daemon is launched, a few of them; a small one is continued', async () => {
  const directory = await tempDir();
  const log = join(directory, 'gateway-autolaunch-1-stderr.log');
  const launch = async (says: string): Promise<void> => {
    const launched = await createLauncher({
      address: { host: '127.0.0.1', port: 1 },
      directory,
      command: () => ({ executable: process.execPath, args: ['-e', `console.error(${JSON.stringify(says)})`] }),
      settings: async () => ({}),
      env: () => ({}),
    }).launch();
    await waitFor(launched.ended, 'the end of the daemon', 10_000);
  };
  await launch('first');
  await launch('second');
  expect(await readFile(log, 'utf8')).toBe('first\nsecond\n');
  for (let turn = 1; turn <= 5; turn += 1) {
    await writeFile(log, `large ${turn}`);
    await truncate(log, 6 * 1024 * 1024);
    await launch(`daemon ${turn}`);
    expect(await readFile(log, 'utf8')).toBe(`daemon ${turn}\n`);
  }
  const names = (await readdir(directory)).filter(each => each.includes('stderr')).sort();
  expect(names).toEqual(['', '.1', '.2', '.3'].map(each => `gateway-autolaunch-1-stderr.log${each}`));
  for (const [age, turn] of [
    [1, 5],
    [2, 4],
    [3, 3],
  ]) {
    expect((await readFile(`${log}.${age}`)).subarray(0, 7).toString()).toBe(`large ${turn}`);
    expect((await stat(`${log}.${age}`)).size).toBe(6 * 1024 * 1024);
  }
}, 20_000);
