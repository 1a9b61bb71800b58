import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scaffoldSkill, scaffoldTemplates, validateSkillDirectory } from '../../../../plugins/skills/api.ts';
import { tempDir } from '../../../helper.ts';
import { skillApp, skillMd, writeSkill } from '../support.ts';

for (const template of scaffoldTemplates) {
  test(`a scaffolded ${template} skill validates without a warning, loads and answers`, async () => {
    const { app, root, json } = await skillApp({}, {}, { SVC_PYTHON_EXECUTABLE: 'python3' });
    const made = await scaffoldSkill({ name: 'text-kit', directory: root, template, description: 'Says "how": much.' });
    expect(made.files).toContain('SKILL.md');
    const report = await validateSkillDirectory(made.directory);
    expect(report).toMatchObject({ valid: true, errors: [], warnings: [], skill_name: 'text-kit' });
    await app.skills.discover();
    expect(await app.skills.load('text-kit')).toEqual(['measure_text']);
    expect(await json('measure_text', { text: 'one two\nthree' })).toMatchObject({
      success: true,
      context: { words: 3, lines: 2, characters: 13 },
    });
  });
}

test('the scaffold overwrites nothing and refuses bad names with a sentence', async () => {
  const directory = await tempDir();
  await writeSkill(directory, 'taken', { 'keep.txt': 'mine' });
  await expect(scaffoldSkill({ name: 'taken', directory })).rejects.toThrow(/exists already/);
  expect(await readFile(join(directory, 'taken/keep.txt'), 'utf8')).toBe('mine');
  for (const name of ['', '../up', 'Upper', 'a--b', 'a'.repeat(56), 'dot.ted']) {
    await expect(scaffoldSkill({ name, directory })).rejects.toMatchObject({ code: 'SVC_SKILLS_SCAFFOLD_REFUSED' });
  }
  await expect(scaffoldSkill({ name: 'ok', directory, template: 'cobol' })).rejects.toThrow(/template/);
});

test('validate names errors and warnings without an absolute path', async () => {
  const root = await realpath(await tempDir());
  const directory = await writeSkill(root, 'other', {
    'SKILL.md': skillMd('alpha'),
    'tools.yaml':
      'tools: [{name: a}, {name: b, input_schema: {type: object, properties: {x: {type: wrong}}}}, {name: c, source_file: no.ts}]',
  });
  const report = await validateSkillDirectory(directory);
  expect(report.valid).toBe(false);
  expect(report.errors.map(each => each.reason_code)).toEqual(['invalid_tool_schema', 'missing_source_file']);
  expect(report.warnings.map(each => each.reason_code)).toContain('name_differs_from_directory');
  expect(JSON.stringify(report)).not.toContain(root);
  await writeFile(join(directory, 'tools.yaml'), 'tools: [{name: a, description: d}]');
  expect(await validateSkillDirectory(directory)).toMatchObject({ valid: true, tools: [{ name: 'a', kind: 'none' }] });
  expect(await validateSkillDirectory(join(root, 'nothing'))).toMatchObject({
    valid: false,
    reason_code: 'missing_skill_md',
  });
});

test('an existing dcc-mcp package loads and runs unchanged', async () => {
  const fixture = new URL('../../../fixtures/skills/maya-scene-report', import.meta.url).pathname;
  const { app, json } = await skillApp({}, {}, { SVC_PYTHON_EXECUTABLE: 'python3' });
  await app.skills.discover([fixture]);
  expect(app.skills.list()).toMatchObject([
    { name: 'maya-scene-report', dcc: 'maya', version: '2.3.0', tags: ['scene', 'report'], tool_count: 2 },
  ]);
  expect(await app.skills.load('maya-scene-report')).toEqual(['count_nodes', 'list_types']);
  expect(await json('count_nodes', { nodes: ['a:mesh', 'b:mesh', 'c:camera'], type: 'mesh' })).toMatchObject({
    success: true,
    context: { count: 2 },
  });
  expect(await json('list_types', { nodes: ['a:mesh', 'c:camera'] })).toMatchObject({
    context: { types: ['camera', 'mesh'] },
  });
  expect(await json('get_skill_info', { skill_name: 'maya-scene-report' })).toMatchObject({
    links: { issues: 'https://github.com/example/reports/issues' },
    tools: [{ next_tools: { on_success: ['maya-scene-report__list_types'] } }, {}],
  });
});
