import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readConfigFile } from '../../kernel/index.ts';
import { tempDir } from './support.ts';

test('config file: JSON and YAML are read; what cannot be is an error that names the file', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 'a.json'), '{"port":1}');
  await writeFile(join(folder, 'a.yaml'), 'port: 2\nskill_paths: [/x]\n');
  await writeFile(join(folder, 'empty.yml'), '');
  await writeFile(join(folder, 'bad.json'), '{');
  expect(await readConfigFile(join(folder, 'a.json'))).toEqual({ port: 1 });
  expect(await readConfigFile(join(folder, 'a.yaml'))).toEqual({ port: 2, skill_paths: ['/x'] });
  expect(await readConfigFile(join(folder, 'empty.yml'))).toEqual({});
  for (const name of ['bad.json', 'absent.json']) {
    await expect(readConfigFile(join(folder, name))).rejects.toMatchObject({
      code: 'SVC_KERNEL_CONFIG_INVALID',
      message: expect.stringContaining(name),
    });
  }
});

test('config file: what holds no object of options is refused', async () => {
  const folder = await tempDir();
  const list = join(folder, 'list.yaml');
  await writeFile(list, '- a\n');
  await expect(readConfigFile(list)).rejects.toThrow('the file must hold an object of options');
});

test.skipIf(process.platform === 'win32')('config file: a pipe is read when somebody writes it', async () => {
  const pipe = join(await tempDir(), 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const read = readConfigFile(pipe);
  await writeFile(pipe, '{"port":3}');
  expect(await read).toEqual({ port: 3 });
});
