import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
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

test('everything that the module offers has types that hold, and a text', async () => {
  const check = `
import inspect, sys, typing
sys.path.insert(0, sys.argv[1])
import svc_host
bare = []
for name in svc_host.__all__:
    offered = getattr(svc_host, name)
    methods = [each for key, each in vars(offered).items() if inspect.isfunction(each) and key[0] != "_"] if inspect.isclass(offered) else [offered]
    for each in methods:
        hints = typing.get_type_hints(each)
        missing = [key for key in inspect.signature(each).parameters if key not in hints and key != "self"]
        if missing or "return" not in hints or not inspect.getdoc(each):
            bare.append((name, each.__name__, missing))
print(bare)
`;
  const { stdout } = await run('python3', ['-c', check, sources]);
  expect(stdout.trim()).toBe('[]');
});

test('the manifest of the Blender extension keeps to the rules of extensions, and says what the legacy form says', async () => {
  const folder = join(sources, 'blender');
  const lines = (await readFile(join(folder, 'blender_manifest.toml'), 'utf8')).split('\n');
  // What it has of TOML is JSON behind the equals sign.
  const told = Object.fromEntries(
    lines.flatMap(line =>
      line.includes(' = ') ? [[line.split(' = ', 1)[0], JSON.parse(line.slice(line.indexOf(' = ') + 3))]] : [],
    ),
  );
  expect(told).toMatchObject({
    ...{
      schema_version: '1.0.0',
      id: expect.stringMatching(/^[a-z_][a-z0-9_]*$/),
      version: packageVersion,
      type: 'add-on',
    },
    ...{ name: 'svc', maintainer: expect.stringMatching(/./), license: [expect.stringMatching(/^SPDX:/)] },
    ...{ blender_version_min: expect.stringMatching(/^4\.[2-9]\.\d+$/), tags: ['System'] },
  });
  // Of one sentence without its full stop, as Blender shows it.
  for (const key of ['tagline', 'network', 'files', 'clipboard']) expect(told[key]).toMatch(/^[A-Z].{0,62}[^.!?]$/);
  const legacy = await readFile(join(folder, '__init__.py'), 'utf8');
  expect(legacy).toContain(`"version": (${packageVersion.replaceAll('.', ', ')})`);
  // An extension has another name than the folder says, so that its modules only know each other by where they stand.
  for (const name of (await readdir(folder)).filter(each => each.endsWith('.py')))
    expect(await readFile(join(folder, name), 'utf8')).not.toMatch(/^\s*(?:import|from) svc_(?:blender|host)/m);
});
