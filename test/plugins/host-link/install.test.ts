import { execFile } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../../kernel/index.ts';
import { installHost } from '../../../plugins/host-link/install.ts';
import { tempDir } from '../../helper.ts';

const run = promisify(execFile);
const sources = join(packageRoot, 'plugins', 'host-link', 'python');
const command = [process.execPath, 'svc-server.js'];

test('a folder has the add-on, the module and what starts the server; a second time replaces it', async () => {
  const to = await tempDir();
  const path = await installHost({ kind: 'blender', to, sources, command });
  expect(path).toBe(join(to, 'svc_blender'));
  expect(JSON.parse(await readFile(join(path, 'svc_host.json'), 'utf8'))).toEqual({ command });
  for (const name of ['__init__.py', 'blender_manifest.toml', 'svc_host.py']) await stat(join(path, name));
  await mkdir(join(path, 'old'));
  await installHost({ kind: 'blender', to, sources, command });
  await expect(stat(join(path, 'old'))).rejects.toThrow('ENOENT');
});

test('the wheel is one that Python imports from', async () => {
  const zip = join(await tempDir(), `svc_host-${packageVersion}-py3-none-any.whl`);
  await installHost({ kind: 'python', zip, sources, command });
  await run('python3', ['-m', 'zipfile', '--test', zip]);
  const { stdout } = await run('python3', [
    '-c',
    'import sys; sys.path.insert(0, sys.argv[1]); import svc_host; print(svc_host.__file__)',
    zip,
  ]);
  expect(stdout.trim()).toBe(join(zip, 'svc_host.py'));
});

test('without a folder a module is refused with what to do', async () => {
  await expect(installHost({ kind: 'python', sources, command })).rejects.toThrow(
    'name it with --to, or a wheel with --zip',
  );
});

test('every Python file has the grammar of 3.7', async () => {
  const check =
    'import ast, pathlib, sys\nfor each in pathlib.Path(sys.argv[1]).rglob("*.py"): ast.parse(each.read_text("utf-8"), str(each), feature_version=(3, 7))';
  await run('python3', ['-c', check, sources]);
});
