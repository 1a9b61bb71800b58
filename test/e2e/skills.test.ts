import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { readPackage } from '../../plugins/skills/packages/manifest.ts';
import { tempDir } from '../helper.ts';
import { bundledSkills } from './clients/story.ts';
import { runProgram } from './program.ts';

async function json(args: string[]) {
  const run = runProgram([...args, '--json']);
  const code = await run.ended;
  return { code, out: run.stdout() ? JSON.parse(run.stdout()) : undefined, err: run.stderr() };
}

test.each(['typescript', 'python', 'shell'])('skills new makes a valid %s skill that list shows', async template => {
  const dir = await tempDir();
  const made = await json([
    'skills',
    'new',
    'my-skill',
    '--dir',
    dir,
    '--template',
    template,
    '--description',
    'Mine.',
  ]);
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out.files).toContain('SKILL.md');
  expect(await json(['skills', 'validate', join(dir, 'my-skill')])).toMatchObject({
    code: 0,
    out: { total: 1, invalid: 0, reports: [{ valid: true }] },
  });
  const listed = await json(['skills', 'list', '--skill-path', dir, '--no-bundled-skills']);
  expect(listed.out.skills).toMatchObject([{ name: 'my-skill', description: 'Mine.', status: 'unloaded' }]);
});

test('skills new refuses a bad name and never overwrites', async () => {
  const dir = await tempDir();
  expect((await json(['skills', 'new', 'Bad Name', '--dir', dir])).code).toBe(2);
  expect((await json(['skills', 'new', 'twice', '--dir', dir])).code).toBe(0);
  const again = runProgram(['skills', 'new', 'twice', '--dir', dir]);
  expect([2, 7]).toContain(await again.ended);
  expect(again.stderr()).toMatch(/^error \[\w+\]: [^\n]+\n$/);
});

test('skills validate tells reason code, message and fix, and ends with 2', async () => {
  const dir = join(await tempDir(), 'broken');
  await mkdir(dir);
  await writeFile(join(dir, 'SKILL.md'), '# no frontmatter\n');
  const human = runProgram(['skills', 'validate', dir]);
  expect(await human.ended).toBe(2);
  expect(human.stdout()).toContain('[missing_frontmatter]');
  expect(human.stdout()).toContain('fix: ');
  expect(human.stderr()).toBe('error [INVALID_INPUT]: 1 of 1 skill directories are invalid\n');
  expect(await json(['skills', 'validate', dir, join(dir, 'absent')])).toMatchObject({
    code: 2,
    out: {
      total: 2,
      invalid: 2,
      reports: [{ reason_code: 'missing_frontmatter' }, { reason_code: 'missing_skill_md' }],
    },
  });
});

test('the bundled skills are valid, and list shows them with those that were refused', async () => {
  const names = await bundledSkills();
  const paths = [...names, 'examples/scene-inspector'].map(each => join(packageRoot, 'skills', each));
  expect(await json(['skills', 'validate', ...paths])).toMatchObject({ code: 0, out: { invalid: 0 } });
  const dir = await tempDir();
  await mkdir(join(dir, 'broken'));
  await writeFile(join(dir, 'broken', 'SKILL.md'), 'x');
  const listed = await json(['skills', 'list', '--skill-path', dir]);
  expect(listed.out.skills.map((each: { name: string }) => each.name)).toEqual(expect.arrayContaining(names));
  expect(listed.out.skipped).toMatchObject([{ directory_name: 'broken', reason_code: 'missing_frontmatter' }]);
  const filtered = await json(['skills', 'list', '--skill-path', dir, '--status', 'skipped']);
  expect(filtered.out).toMatchObject({ skills: [], skipped: [{}] });
  const human = runProgram(['skills', 'list', '--skill-path', dir]);
  expect(await human.ended).toBe(0);
  expect(human.stdout()).toMatch(/broken.*skipped/);
});

test('the manifests that the build shipped are what their files say', async () => {
  const shipped = JSON.parse(await readFile(join(packageRoot, 'dist', 'skills.json'), 'utf8'));
  const names = await bundledSkills();
  expect(Object.keys(shipped).sort()).toEqual(names.sort());
  for (const name of names) {
    const reading = await readPackage(join(packageRoot, 'skills', name));
    expect(reading).toMatchObject({ package: JSON.parse(JSON.stringify(shipped[name])) });
  }
});
