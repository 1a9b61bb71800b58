/** A pipe or a device where a file should be: named as such, at once, and the next build works. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readRegular } from '../../../../plugins/skills/packages/package-files.ts';
import { createBundler } from '../../../../plugins/skills/runtime/bundler.ts';
import { tempDir } from '../../../helper.ts';
import { answering, skillApp } from '../support.ts';
import { errorOf, rig, run, skill } from './skill.ts';

const pipe = (path: string): string => {
  execFileSync('mkfifo', [path]);
  return path;
};

test.skipIf(process.platform === 'win32')('a pipe or device is never read', async () => {
  const folder = await tempDir();
  await expect(readRegular(pipe(join(folder, 'pipe')))).rejects.toThrow('it is not a regular file');
  await expect(readRegular('/dev/zero')).rejects.toThrow('it is not a regular file');
  await expect(readRegular(folder)).rejects.toThrow();
});

test.skipIf(process.platform === 'win32')('a module that is a pipe fails its own build only', async () => {
  const { runtimes } = await rig();
  const broken = await skill({ 'tools/a.ts': `import './pipe.ts';\nimport './data.json';\nexport default () => 1;` });
  pipe(join(broken.directory, 'tools/pipe.ts'));
  pipe(join(broken.directory, 'tools/data.json'));
  const error = await errorOf(runtimes.start(broken));
  expect(error.code).toBe('SVC_SKILLS_RUNTIME_BUILD_FAILED');
  expect(error.message).toBe(
    'Skill "probe" cannot be built: tools/a.ts:1:8: tools/pipe.ts is not a regular file; ' +
      'tools/a.ts:2:8: tools/data.json is not a regular file',
  );
  const good = await runtimes.start(await skill({ 'tools/b.ts': 'export default () => 2;' }));
  expect(await run(good, 'b')).toBe(2);
});

test.skipIf(process.platform === 'win32')('a build that hangs in the compiler itself is given up', async () => {
  const { directory } = await skill({ 'tools/a.ts': 'export default () => 1;' });
  pipe(join(directory, 'tsconfig.json'));
  const bundler = createBundler({ cacheDir: await tempDir(), log: pino({ level: 'silent' }), timeoutMs: 1000 });
  onTestFinished(() => bundler.dispose());
  const request = { skill: 's', directory, tools: new Map([['a', join(directory, 'tools/a.ts')]]) };
  expect((await errorOf(bundler.bundle(request))).message).toBe('Skill "s" cannot be built: it took longer than 1 s');
});

test.skipIf(process.platform === 'win32')(
  'a pipe as source_file does not stand in the way of other skills',
  async () => {
    const tools = 'tools:\n  - name: stuck_answer\n    description: Answers.\n    source_file: tools/pipe.ts\n';
    const stuck = answering('stuck', 'never', { tools });
    const found = await skillApp({ stuck, alpha: answering('alpha', 'one') });
    pipe(join(found.root, 'stuck/tools/pipe.ts'));
    const { missing_tools } = await found.json('load_skill', { skill_name: 'stuck' });
    expect(missing_tools).toMatchObject([
      { name: 'stuck_answer', message: expect.stringContaining('source_file "tools/pipe.ts" is not a regular file') },
    ]);
    await found.app.skills.load('alpha');
    expect(await found.json('alpha_answer')).toMatchObject({ answer: 'one' });
  },
);
