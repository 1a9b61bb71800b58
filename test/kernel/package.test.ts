import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBuilt, packageRoot, packageVersion } from '../../kernel/index.ts';

test('the package knows its folder and version, and that these tests run from source', async () => {
  const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  expect(manifest.name).toBe('svc');
  expect(packageVersion).toBe(manifest.version);
  expect(isBuilt).toBe(false);
});
