/** Skill directories that others may write are told of, by diagnostics, doctor and the log. */
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillChecks } from '../../../../cli/svc-cli/doctor/settings-checks.ts';
import { exposedPlaces, exposureOf } from '../../../../plugins/skills/packages/exposure.ts';
import { tempDir, testConfig, waitFor } from '../../../helper.ts';
import { testServer } from '../../../server.ts';
import { answering, writeFiles } from '../support.ts';

const posix = process.platform !== 'win32';
const entry = (mode: number, given: { uid?: number; gid?: number; folder?: boolean } = {}) => {
  const { uid = 1000, gid = uid, folder = true } = given;
  return { mode, uid, gid, isDirectory: () => folder };
};

test('whom the bits let write: everybody, a shared group, another owner', () => {
  expect(exposureOf(entry(0o755), 1000)).toBeUndefined();
  expect(exposureOf(entry(0o775), 1000)).toBeUndefined();
  expect(exposureOf(entry(0o775, { gid: 50 }), 1000)).toBe('its group may write to it');
  expect(exposureOf(entry(0o777), 1000)).toBe('everybody may write to it');
  expect(exposureOf(entry(0o1777, { uid: 0 }), 1000)).toBeUndefined();
  expect(exposureOf(entry(0o666, { folder: false }), 1000)).toBe('everybody may write to it');
  expect(exposureOf(entry(0o755, { uid: 1001 }), 1000)).toBe('it belongs to another user');
  expect(exposureOf(entry(0o755, { uid: 0 }), 1000)).toBeUndefined();
});

test.runIf(posix)('a package, a file of it, or a folder above it; doctor says what to look at', async () => {
  const root = await tempDir();
  const skill = join(root, 'studio', 'alpha');
  await writeFiles(skill, answering('alpha', 'x'));
  expect(await exposedPlaces([skill])).toEqual([]);
  await chmod(join(skill, 'tools.yaml'), 0o666);
  await chmod(join(root, 'studio'), 0o777);
  expect(await exposedPlaces([skill, skill])).toEqual([
    { skill_path: skill, path: join(root, 'studio'), reason: 'everybody may write to it' },
    { skill_path: skill, path: join(skill, 'tools.yaml'), reason: 'everybody may write to it' },
  ]);
  const registry_dir = join(root, 'registry');
  const settings = testConfig({ skill_paths: [join(root, 'studio')], bundled_skills: false, registry_dir });
  const checks = await skillChecks(settings as Parameters<typeof skillChecks>[0], undefined);
  expect(checks.filter(each => each.message.includes(join(root, 'studio')))).toMatchObject([
    {
      level: 'warning',
      message: expect.stringContaining('everybody may write'),
      next: `ls -ld '${join(root, 'studio')}'`,
    },
    { level: 'warning', message: expect.stringContaining('tools.yaml') },
  ]);
  if (process.getuid?.() !== 0) return;
  await chmod(join(root, 'studio'), 0o755);
  await writeFile(join(skill, 'more.txt'), '');
  await chown(join(skill, 'more.txt'), 4711, 4711);
  expect(await exposedPlaces([skill])).toContainEqual(
    expect.objectContaining({ path: join(skill, 'more.txt'), reason: 'it belongs to another user' }),
  );
});

test.runIf(posix)('a load from there is said in the log, once a place', async () => {
  const folder = await tempDir();
  const skill = join(folder, 'skills', 'alpha');
  await writeFiles(skill, answering('alpha', 'x'));
  await chmod(join(skill, 'tools.yaml'), 0o666);
  const log_file = join(folder, 'svc.log');
  const server = testServer('ambient', { skill_paths: [join(folder, 'skills')], log_level: 'warn', log_file });
  await server.start();
  const warnings = async (): Promise<string[]> =>
    (await readFile(log_file, 'utf8').catch(() => '')).split('\n').filter(each => each.includes('others can change'));
  for (const _ of [1, 2]) {
    await server.loadSkill('alpha');
    await waitFor(async () => (await warnings()).length > 0, 'the warning');
    await server.unloadSkill('alpha');
  }
  expect((await warnings()).map(each => JSON.parse(each))).toMatchObject([
    { level: 40, skill: 'alpha', path: join(skill, 'tools.yaml'), reason: 'everybody may write to it' },
  ]);
});
