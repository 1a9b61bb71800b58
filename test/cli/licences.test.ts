import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { licences } from '../../cli/licences.ts';
import { tempDir } from '../helper.ts';

test('the licence file names every bundled package once, with its text', async () => {
  const root = await tempDir();
  const add = async (name: string, license: string, text?: string): Promise<void> => {
    const folder = join(root, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }));
    if (text) await writeFile(join(folder, 'LICENSE.md'), text);
  };
  await add('plain', 'MIT', 'Permission is granted');
  await add('@scope/bare', 'ISC');
  const inputs = [
    'kernel/app.ts',
    'node_modules/plain/a.js',
    'node_modules/plain/b.js',
    'node_modules/@scope/bare/x.js',
  ];
  const text = await licences(inputs, root);
  expect(text).toContain('contain code of 2 packages');
  expect(text.match(/plain 1\.0\.0 \(MIT\)/g)).toHaveLength(1);
  expect(text).toContain('Permission is granted');
  expect(text).toContain('@scope/bare 1.0.0 (ISC)');
  expect(text).toContain('Licence: ISC');
});
