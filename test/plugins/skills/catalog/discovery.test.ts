import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { listSkillPackages } from '../../../../plugins/skills/api.ts';
import { searchRoots } from '../../../../plugins/skills/catalog/search-paths.ts';
import { tempDir, testConfig } from '../../../helper.ts';
import { answering, skillApp, skillMd, writeSkill } from '../support.ts';

const places = (env: Record<string, string>, dccs = ['maya']) =>
  searchRoots({ skillPaths: ['/cli', '/general'], extraPaths: ['/extra'], bundled: '/bundled', dccs, env }).map(
    ({ path, scope, source, rank }) => `${path} ${scope} ${source} ${rank}`,
  );

test('search paths and scopes: explicit, bundled, team, user, local, platform, environment, extra [spec:shape:search-paths]', () => {
  const env = {
    HOME: '/home/u',
    XDG_DATA_HOME: '/data',
    SVC_SKILL_PATHS: '/general',
    SVC_MAYA_SKILL_PATHS: ['/m1', '/m2'].join(delimiter),
    SVC_USER_SKILL_PATHS: '~/mine',
    SVC_USER_MAYA_SKILL_PATHS: '/um',
    SVC_TEAM_SKILL_PATHS: '/t',
    SVC_TEAM_MAYA_SKILL_PATHS: '/tm',
  };
  expect(places(env)).toEqual([
    '/cli admin explicit 1',
    '/bundled system bundled 0.7',
    '/t user team 1',
    '/tm user team 1',
    '/home/u/mine user user 1',
    '/um user user 1',
    '/home/u/.svc/maya/skills user local_dev 1',
    '/data/svc/skills user platform 0.85',
    '/general repo environment 1',
    '/m1 repo environment 1',
    '/m2 repo environment 1',
    '/extra repo extra 1',
  ]);
  const off = { ...env, SVC_DISABLE_ACCUMULATED_SKILLS: '1', SVC_DISABLE_DEFAULT_SKILL_PATHS: 'true' };
  expect(places(off).some(each => / user /.test(each))).toBe(false);
  expect(places({ SVC_3DS_MAX_SKILL_PATHS: '/x' }, ['3ds-max'])).toContain('/x repo environment 1');
});

test('discover finds packages in a directory of skills and in a directory that is one, and counts them', async () => {
  const { app, root } = await skillApp({ alpha: answering('alpha', 'a') });
  const extra = await realpath(await tempDir());
  await writeSkill(extra, 'beta', answering('beta', 'b'));
  await writeSkill(extra, 'notes', { 'todo.txt': '' });
  await writeSkill(extra, '.hidden', answering('hidden', 'h'));
  expect(await app.skills.discover()).toBe(1);
  expect(await app.skills.discover([join(extra, 'beta')])).toBe(2);
  expect(await app.skills.discover([extra])).toBe(2);
  expect(app.skills.list().map(each => [each.name, each.scope])).toEqual([
    ['alpha', 'admin'],
    ['beta', 'repo'],
  ]);
  await writeSkill(root, 'gamma', answering('gamma', 'g'));
  expect(await app.skills.discover()).toBe(3);
});

test('discover reads the paths of a named host type', async () => {
  const place = await realpath(await tempDir());
  await writeSkill(place, 'beta', answering('beta', 'b'));
  const { app } = await skillApp({}, {}, { SVC_MAX_SKILL_PATHS: place });
  expect(app.skills.list()).toEqual([]);
  expect(await app.skills.discover([], 'max')).toBe(1);
});

test('of two skills with one name the higher scope wins, the other is skipped with a reason', async () => {
  const place = await realpath(await tempDir());
  await writeSkill(place, 'mine', answering('alpha', 'repo'));
  const { app, json } = await skillApp({ alpha: answering('alpha', 'admin') }, {}, { SVC_PYTHON_SKILL_PATHS: place });
  expect(app.skills.list()).toMatchObject([{ name: 'alpha', scope: 'admin' }]);
  expect(app.skills.skipped()).toMatchObject([
    { skill_name: 'alpha', directory_name: 'mine', reason_code: 'duplicate_skill_name' },
  ]);
  await app.skills.load('alpha');
  expect((await json('alpha_answer')).answer).toBe('admin');
});

test('a missing or unusable search path is a diagnostic, never a crash; other paths still count', async () => {
  const folder = await realpath(await tempDir());
  await writeFile(join(folder, 'file'), '');
  await writeSkill(folder, 'alpha', answering('alpha', 'a'));
  const config = testConfig({
    skill_paths: [join(folder, 'missing'), join(folder, 'file'), folder],
    bundled_skills: false,
  });
  const found = await listSkillPackages(config, { HOME: folder, SVC_DISABLE_DEFAULT_SKILL_PATHS: '1' });
  expect(found.skills.map(each => [each.name, each.status])).toEqual([['alpha', 'unloaded']]);
  expect(found.problems.map(each => each.message)).toEqual([
    'skill path "missing" (explicit) does not exist',
    'skill path "file" (explicit) is not a directory',
  ]);
  const { app } = await skillApp({}, { skill_paths: [join(folder, 'missing')], watch_skills: true });
  expect(app.skills.list()).toEqual([]);
});

test('a package without SKILL.md, a broken one and a dangling link are skipped beside good ones', async () => {
  const { app, root } = await skillApp({
    good: answering('good', 'g'),
    unfinished: { 'tools.yaml': 'tools: []' },
    broken: { 'SKILL.md': '---\nname: broken\ndescription: d\nsurprise: 1\n---\n' },
    plain: { 'README.md': '' },
  });
  await mkdir(join(root, 'elsewhere'));
  await symlink(join(root, 'nowhere'), join(root, 'dangling'));
  await symlink(join(root, 'good'), join(root, 'linked'));
  await app.skills.discover();
  expect(app.skills.list().map(each => each.name)).toEqual(['good']);
  expect(app.skills.skipped().map(each => [each.directory_name, each.reason_code])).toEqual([
    ['broken', 'non_spec_top_level_keys'],
    ['linked', 'duplicate_skill_name'],
    ['unfinished', 'missing_skill_md'],
  ]);
});

test('nothing of a package is executed by discovery, search or get_skill_info', async () => {
  const marker = join(await tempDir(), 'executed');
  const code = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, '');\nexport default () => 1;\n`;
  const { app, json } = await skillApp({ alpha: answering('alpha', '', { files: { 'tools/alpha_answer.ts': code } }) });
  app.skills.search({ query: 'alpha' });
  await json('get_skill_info', { skill_name: 'alpha' });
  const { access } = await import('node:fs/promises');
  await expect(access(marker)).rejects.toThrow();
  await app.skills.load('alpha');
  await access(marker);
});

test('search_skills: an empty call lists by scope precedence, then name; tags are ANDed in any case', async () => {
  const place = await realpath(await tempDir());
  await writeSkill(place, 'aaa', answering('aaa', 'r', { svc: '    tags: [Mesh, Export]' }));
  const { app } = await skillApp(
    {
      zeta: answering('zeta', 'z', { svc: '    tags: [mesh]\n    dcc: maya' }),
      beta: answering('beta', 'b', { svc: '    tags: [mesh, export]\n    search-hint: polygon reduction' }),
    },
    {},
    { SVC_SKILL_PATHS: place },
  );
  const names = (input?: object) => app.skills.search(input).map(each => each.name);
  expect(names()).toEqual(['beta', 'zeta', 'aaa']);
  expect(names({ limit: 1 })).toEqual(['beta']);
  expect(names({ tags: ['MESH', 'export'] })).toEqual(['beta', 'aaa']);
  expect(names({ dcc: 'maya' })).toEqual(['zeta']);
  expect(names({ scope: 'repo' })).toEqual(['aaa']);
  expect(names({ query: 'polygons' })).toEqual(['beta']);
  expect(names({ query: 'zeta_answer' })[0]).toBe('zeta');
  expect(names({ query: 'zeta' })[0]).toBe('zeta');
  expect(names({ query: 'nothing like it' })).toEqual([]);
  expect(names({ query: '*'.repeat(10_000) })).toEqual([]);
});

test('search follows the catalogue', async () => {
  const { app, root } = await skillApp({ alpha: answering('alpha', 'a', { description: 'About walnuts.' }) });
  expect(app.skills.search({ query: 'walnut' })).toHaveLength(1);
  await writeFile(join(root, 'alpha', 'SKILL.md'), skillMd('alpha', { description: 'About hazels.' }));
  await app.skills.discover();
  expect(app.skills.search({ query: 'walnut' })).toHaveLength(0);
  expect(app.skills.search({ query: 'hazel' })).toHaveLength(1);
});
