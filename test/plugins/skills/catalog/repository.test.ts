/** A repository as a skill path, and what public packages call things. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withAliases } from '../../../../plugins/skills/catalog/environment.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { answering, skillApp, skillMd, writeFiles, writeSkill } from '../support.ts';

test('packages are found below the children of a skill path, not in what is installed, hidden, linked or a test', async () => {
  const { app, root } = await skillApp({
    top: answering('top', 't'),
    'adapter/src/adapter/skills/deep': answering('deep', 'd'),
    'adapter/skill/near': answering('near', 'n'),
    'adapter/skill/near/inner': { 'SKILL.md': skillMd('inner') },
    'adapter/node_modules/x/skills/installed': answering('installed', 'i'),
    'adapter/.git/hidden': answering('hidden', 'h'),
    'adapter/tests/fixtures/broken': { 'SKILL.md': 'no' },
    'adapter/a/b/c/d/e/f/g': answering('far', 'f'),
    unfinished: { 'tools.yaml': 'tools: []' },
  });
  await symlink(join(root, 'adapter'), join(root, 'again'));
  await symlink(join(root, 'adapter'), join(root, 'adapter', 'loop'));
  await app.skills.discover();
  expect(app.skills.list().map(each => each.name)).toEqual(['deep', 'near', 'top']);
  expect(app.skills.skipped().map(each => each.directory_name)).toEqual(['unfinished']);
  expect(await app.skills.load('deep')).toEqual(['deep_answer']);
});

test('a search among more folders than are looked at ends, and takes no package away', async () => {
  const { app, root } = await skillApp();
  const folders = Array.from({ length: 45 }, (_, at) => `wide/${at}`);
  for (const folder of folders) {
    for (let at = 0; at < 45; at += 1) await mkdir(join(root, folder, String(at)), { recursive: true });
  }
  await writeSkill(root, 'alpha', answering('alpha', 'a'));
  expect(await app.skills.discover()).toBe(1);
  expect(app.skills.list()).toMatchObject([{ name: 'alpha' }]);
});

test('a package below a child is followed like any other: its saves, and a new neighbour', async () => {
  const { app, root, json } = await skillApp({ 'repo/skills/one': answering('one', '1') }, { watch_skills: true });
  await app.skills.load('one');
  await new Promise(resolve => setTimeout(resolve, 500));
  await writeFiles(join(root, 'repo/skills/one'), { 'tools/one_answer.ts': 'export default () => ({ answer: 2 });\n' });
  await waitFor(async () => (await json('one_answer')).answer === 2, 'the new code');
  await writeSkill(root, 'repo/skills/two', answering('two', '2'));
  await waitFor(() => app.skills.list().some(each => each.name === 'two'), 'the new neighbour');
});

test('variables of the public packages stand for ours, which win', async () => {
  const paths = { DCC_MCP_SKILL_PATHS: 'a', DCC_MCP_TEAM_MAYA_SKILL_PATHS: 'b', DCC_MCP_PYTHON_EXECUTABLE: 'p' };
  expect(withAliases({ ...paths, SVC_PYTHON_EXECUTABLE: 'own', DCC_MCP_GATEWAY_PORT: '1' })).toEqual({
    ...paths,
    ...{
      SVC_SKILL_PATHS: 'a',
      SVC_TEAM_MAYA_SKILL_PATHS: 'b',
      SVC_PYTHON_EXECUTABLE: 'own',
      DCC_MCP_GATEWAY_PORT: '1',
    },
  });
  const other = await writeSkill(await tempDir(), 'alpha', answering('alpha', 'a'));
  const { app } = await skillApp({}, {}, { DCC_MCP_SKILL_PATHS: other });
  expect(app.skills.list()).toMatchObject([{ name: 'alpha', scope: 'repo' }]);
});

test('a tool is called by its qualified name with _ for -; the name as it is wins', async () => {
  const { app, root, json } = await skillApp({
    'scene-kit': answering('scene-kit', 'kebab', {
      tools: 'tools: [do-it]',
      files: { 'tools/do-it.ts': code('kebab') },
    }),
  });
  await app.skills.load('scene-kit');
  for (const name of ['scene-kit__do-it', 'scene_kit__do_it', 'scene-kit__do_it']) {
    expect(await json(name)).toMatchObject({ answer: 'kebab' });
  }
  await writeSkill(root, 'scene_kit', {
    'SKILL.md': skillMd('scene_kit'),
    'tools.yaml': 'tools: [do_it]',
    'tools/do_it.ts': code('snake'),
  });
  await app.skills.discover();
  await app.skills.load('scene_kit');
  expect(await json('scene_kit__do_it')).toMatchObject({ answer: 'snake' });
  expect(await json('scene-kit__do-it')).toMatchObject({ answer: 'kebab' });
  await app.skills.unload('scene_kit');
  expect(await json('scene-kit__do-it')).toMatchObject({ answer: 'kebab' });
});

const code = (answer: string): string => `export default () => ({ answer: '${answer}' });\n`;
