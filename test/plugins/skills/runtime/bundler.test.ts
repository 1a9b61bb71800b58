/** What the build makes of TypeScript, modules, dependencies and assets; what it costs; how it fails. */
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createBundler } from '../../../../plugins/skills/runtime/bundler.ts';
import { tempDir } from '../../../helper.ts';
import { errorOf, rig, run, skill } from './skill.ts';

test('a tool may use transitive modules, JSON, npm packages, top-level await, assets and CommonJS', async () => {
  const { runtimes } = await rig();
  const spec = await skill({
    'tools/all.ts': `
      import { readFileSync } from 'node:fs';
      import { twice } from '../lib/twice.ts';
      import data from '../lib/data.json';
      import legacy from 'legacy';
      import { parse } from 'yaml';
      import { where } from '../lib/where.mjs';
      const loaded = await Promise.resolve('awaited');
      const local = await import('../lib/late.ts');
      export default () => ({
        twice: twice(21), data, loaded, late: local.late, where: where(), legacy: legacy.name(),
        yaml: parse('a: 1'),
        asset: readFileSync(new URL('../assets/note.txt', import.meta.url), 'utf8'),
        relative: readFileSync(import.meta.dirname + '/../assets/note.txt', 'utf8'),
      });`,
    'lib/twice.ts': `import { factor } from './factor.ts';\nexport const twice = (n: number): number => n * factor;`,
    'lib/factor.ts': `enum Factor { Two = 2 }\nexport const factor: number = Factor.Two;`,
    'lib/late.ts': `export const late = 'late';`,
    'lib/where.mjs': `export const where = () => import.meta.url.split('/').slice(-2).join('/');`,
    'lib/data.json': `{"list":[1,2]}`,
    'assets/note.txt': 'a note',
    'node_modules/legacy/package.json': '{"name":"legacy","version":"1.0.0","main":"index.js"}',
    'node_modules/legacy/index.js': `const os = require('os'); const { join } = require('path');
      exports.name = () => require('fs').readFileSync(join(__dirname, 'package.json'), 'utf8').slice(2, 6) + typeof os.platform();`,
  });
  const runtime = await runtimes.start(spec);
  expect(await run(runtime, 'all')).toEqual({
    twice: 42,
    data: { list: [1, 2] },
    loaded: 'awaited',
    late: 'late',
    where: 'lib/where.mjs',
    legacy: 'namestring',
    yaml: { a: 1 },
    asset: 'a note',
    relative: 'a note',
  });
  for (const name of [
    'tools/all.ts',
    'lib/twice.ts',
    'lib/factor.ts',
    'lib/data.json',
    'node_modules/legacy/index.js',
  ]) {
    expect(runtime.inputs).toContain(join(spec.directory, name));
  }
  expect(runtime.inputs.some(each => each.includes('svc-entry'))).toBe(false);
});

test('the hash changes with the code and only with it', async () => {
  const { runtimes } = await rig();
  const spec = await skill({
    'tools/a.ts': `import { n } from '../n.ts'; export default () => n;`,
    'n.ts': 'export const n = 1;',
  });
  const first = await runtimes.start(spec);
  const again = await runtimes.start(spec);
  expect(again.hash).toBe(first.hash);
  await writeFile(join(spec.directory, 'n.ts'), 'export const n = 2;');
  const second = await runtimes.start(spec);
  expect(second.hash).not.toBe(first.hash);
  expect([await run(first, 'a'), await run(second, 'a')]).toEqual([1, 2]);
});

test('an edit of the same length right after a build is never missed', async () => {
  const { runtimes } = await rig();
  const spec = await skill({
    'tools/a.ts': `import { n } from '../n.ts'; export default () => n;`,
    'n.ts': 'export const n = 0;',
  });
  for (let n = 1; n < 10; n++) {
    await writeFile(join(spec.directory, 'n.ts'), `export const n = ${n};`);
    const runtime = await runtimes.start(spec);
    expect(await run(runtime, 'a')).toBe(n);
    await runtime.close(0);
  }
});

test('unchanged files cost no build, even in another process; touched files are compared by content', async () => {
  const cacheDir = await tempDir('svc-cache-');
  const spec = await skill({ 'tools/a.ts': 'export default () => 1;' });
  const old = new Date(Date.now() - 60_000);
  await utimes(join(spec.directory, 'tools/a.ts'), old, old);
  const log = pino({ level: 'silent' });
  const tools = new Map(spec.tools.map(each => [each.name, each.path]));
  const one = createBundler({ cacheDir, log });
  const two = createBundler({ cacheDir, log });
  onTestFinished(async () => void (await Promise.all([one.dispose(), two.dispose()])));
  const request = { skill: 'probe', directory: spec.directory, tools };
  const first = await one.bundle(request);
  // A marker in the bundle survives only where no build happens.
  await writeFile(first.file, `${await readFile(first.file, 'utf8')}\n// kept`);
  await utimes(join(spec.directory, 'tools/a.ts'), new Date(), new Date());
  const second = await two.bundle(request);
  expect(second.file).toBe(first.file);
  expect(second.hash).toBe(first.hash);
  expect(await readFile(second.file, 'utf8')).toContain('// kept');
  expect((await readdir(join(cacheDir, 'skills'))).filter(each => each.endsWith('.part'))).toEqual([]);
});

test('a cache that cannot be written: another folder serves, unless this one was chosen, which is told by option', async () => {
  // A file in the way stops root, too.
  const cacheDir = join(await tempDir('svc-cache-'), 'file');
  await writeFile(cacheDir, '');
  const spec = await skill({ 'tools/a.ts': 'export default () => 1;' });
  const chosen = await rig({ cacheDir });
  await expect(chosen.runtimes.start(spec)).rejects.toThrow(
    /^Skill "probe" cannot be built: .*\(ENOTDIR\): name another with cache_dir$/,
  );
  const { runtimes, log } = await rig({ cacheDir, cacheMayMove: true });
  const [one, two] = await Promise.all([runtimes.start(spec), runtimes.start({ ...spec, skill: 'other' })]);
  expect([await run(one, 'a'), await run(two, 'a')]).toEqual([1, 1]);
  const [told, ...more] = log.filter(each => each.instead !== undefined);
  expect([told?.cache_dir, more]).toEqual([cacheDir, []]);
  await runtimes.dispose();
  await expect(readdir(String(told?.instead))).rejects.toThrow(/ENOENT/);
});

test.each([
  [
    'a syntax error',
    { 'tools/a.ts': 'export default () => {\n  return (;\n};' },
    /^Skill "probe" cannot be built: tools\/a\.ts:2:11: Unexpected ";"$/,
  ],
  [
    'a module that is saved half-way and exports nothing yet',
    {
      'tools/a.ts': `import { n } from '../lib/n.ts';\nexport default () => ({ n });`,
      'lib/n.ts': '',
    },
    /cannot be built: tools\/a\.ts:1:10: Import "n" will always be undefined/,
  ],
  [
    'a missing module',
    { 'tools/a.ts': `import '../lib/none.ts';\nexport default () => 1;` },
    /cannot be built: tools\/a\.ts:1:8: Could not resolve "\.\.\/lib\/none\.ts"/,
  ],
  [
    'a missing package',
    { 'tools/a.ts': `import 'no-such-package';\nexport default () => 1;` },
    /tools\/a\.ts:1:8: Could not resolve "no-such-package"/,
  ],
  [
    'a syntax error beside import.meta',
    { 'tools/a.ts': 'import.meta.url;\nlet 1;' },
    /tools\/a\.ts:2:5: Expected ";" but found/,
  ],
  [
    'no default export',
    { 'tools/a.ts': 'export const a = 1;' },
    /tools\/a\.ts must have a function as its default export, .* but it has no default export/,
  ],
  [
    'a default export that is no function',
    { 'tools/a.ts': 'export default { a: 1 };' },
    /but it has a default export of type object/,
  ],
  [
    'top-level code that throws',
    {
      'tools/a.ts': `import '../lib/b.ts';\nexport default () => 1;`,
      'lib/b.ts': `const a: number = 1;\nthrow new Error('not today');`,
    },
    /cannot be started: its top-level code threw: not today \(lib\/b\.ts:2:7\)$/,
  ],
  [
    'top-level code that exits',
    { 'tools/a.ts': `process.exit(3);\nexport default () => 1;` },
    /while its top-level code ran, it called process\.exit\(3\)/,
  ],
  [
    'top-level code that hangs',
    { 'tools/a.ts': `for (;;);\nexport default () => 1;` },
    /its top-level code did not finish within 0\.5 s/,
  ],
  [
    'top-level code that never settles',
    { 'tools/a.ts': `await new Promise(() => {});\nexport default () => 1;` },
    /its top-level code did not finish within 0\.5 s/,
  ],
])('%s is refused with a sentence that names the place, without absolute paths', async (name, files, message) => {
  // Only what never starts is waited for in vain; the others get the time that they take.
  const { runtimes } = await rig(/hangs|settles/.test(name) ? { startTimeoutMs: 500 } : {});
  const spec = await skill(files as Record<string, string>);
  const error = await errorOf(runtimes.start(spec));
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain(spec.directory);
  expect(error.code).toMatch(/^SVC_SKILLS_RUNTIME_/);
});
