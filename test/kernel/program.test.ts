import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../../kernel/index.ts';
import { tempDir } from './support.ts';

test.skipIf(process.platform === 'win32')('a program is found on the PATH alone, first come first', async () => {
  const folder = await tempDir('svc-path-');
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  // No program: a folder, a file that may not be run.
  await mkdir(join(first, 'tool'), { recursive: true });
  await mkdir(second);
  await writeFile(join(first, 'plain'), '');
  for (const name of ['tool', 'plain']) {
    await writeFile(join(second, name), '#!/bin/sh\n');
    await chmod(join(second, name), 0o755);
  }
  const env = { PATH: ['', first, second].join(delimiter) };
  expect(await findProgram('tool', env)).toBe(join(second, 'tool'));
  expect(await findProgram('plain', env)).toBe(join(second, 'plain'));
  expect(await findProgram(join(second, 'tool'), {})).toBe(join(second, 'tool'));
  expect(await findProgram('no-such-program', env)).toBeUndefined();
  // The current folder is no part of an empty PATH.
  expect(await findProgram('package.json', { PATH: delimiter })).toBeUndefined();
  expect(await findProgram('tool', {})).toBeUndefined();
});
