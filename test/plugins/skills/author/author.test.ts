import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../../../../kernel/index.ts';
import { checkPrompts } from '../../../../plugins/prompts/api.ts';
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

test('scripts of PowerShell are parsed where it is there; what nobody can parse is told, and never put into a command', async () => {
  const names = ["scripts/a '; exit.ps1", 'scripts/$(id).ps1', 'scripts/b.bat', 'scripts/c.mel', 'scripts/d.js'];
  const root = await tempDir();
  const directory = await writeSkill(root, 'shells', {
    'SKILL.md': skillMd('shells'),
    ...Object.fromEntries(names.map(name => [name, name.endsWith('js') ? '1;' : 'if ($x {'])),
  });
  const bin = await tempDir();
  const told = async (env: Record<string, string>) => {
    const { errors, warnings } = await validateSkillDirectory(directory, { env });
    return {
      errors: errors.map(each => [each.file, each.line, each.message]),
      unchecked: warnings.filter(each => each.reason_code === 'syntax_not_checked').map(each => each.message),
    };
  };
  const others = 'scripts/b.bat, scripts/c.mel: not parsed, because no program parses such files without running them';
  expect(await told({ PATH: bin })).toEqual({
    errors: [],
    unchecked: [
      "scripts/$(id).ps1, scripts/a '; exit.ps1: not parsed, because pwsh or powershell is not there",
      others,
    ],
  });
  expect((await validateSkillDirectory(directory)).warnings).toEqual([]);
  // A stand-in tells what it is given: the names, each an argument.
  const node = JSON.stringify(process.execPath);
  await writeFile(
    join(bin, 'pwsh'),
    `#!/bin/sh\nexec ${node} -e 'console.log(JSON.stringify([process.argv.at(-1), 1, process.argv.slice(2, -2).join(" ")]))' -- "$@"\n`,
    { mode: 0o755 },
  );
  const { errors, unchecked } = await told({ PATH: `${bin}:${process.env.PATH}` });
  expect(unchecked).toEqual([others]);
  expect(errors).toEqual([
    [
      "scripts/a '; exit.ps1",
      1,
      expect.stringMatching(/^-NonInteractive -ExecutionPolicy Bypass -File \S+check\.ps1$/),
    ],
  ]);
});

const pwsh = await findProgram('pwsh', process.env);

test.skipIf(pwsh === undefined)(
  `PowerShell itself finds what is wrong${pwsh ? '' : ': pwsh is not there'}`,
  async () => {
    const directory = await writeSkill(await tempDir(), 'shells', {
      'SKILL.md': skillMd('shells'),
      'scripts/good.ps1': 'param([string]$name)\nWrite-Output $name\n',
      'scripts/bad.ps1': 'Write-Output 1\nif ($x {\n',
    });
    const { errors } = await validateSkillDirectory(directory, { env: process.env });
    expect(errors).toMatchObject([{ reason_code: 'syntax_error', file: 'scripts/bad.ps1', line: 2 }]);
  },
  30_000,
);

test('validate finds what a load would not: misspelt keys, code that cannot be built, scripts that cannot be parsed, each with file and line', async () => {
  const root = await tempDir();
  const directory = await writeSkill(root, 'sins', {
    'SKILL.md': skillMd('sins', { svc: '    serch-hint: x\n    tags: 12\n    colour: red' }),
    'tools.yaml': [
      'tools:',
      '  - { name: a, description: A., destructiv: true, input_schema: { type: object, requird: [x] } }',
      '  - name: b',
      '    description: B.',
      '    annotations: { readonlyHint: true, x-own: 1 }',
      '    next-tools: { on-sucess: [a] }',
      '  - { name: c, description: C. }',
      '  - { name: d, description: D., source_file: tools/none.ts }',
    ].join('\n'),
    'prompts.yaml': 'prompts:\n  - name: p\n    templat: hello\n',
    'tools/a.ts': 'import { n } from "./n.ts";\nimport "no-such-package";\nexport default () => n;\n',
    'scripts/b.py': 'import json\n\ndef f(:\n  pass\n',
    'scripts/c.sh': '#!/bin/sh\nif true; then\necho hi\n',
  });
  const report = await validateSkillDirectory(directory, { checks: [checkPrompts], env: process.env });
  const told = (list: typeof report.errors) => list.map(each => `${each.file}:${each.line} ${each.message}`);
  expect(told(report.errors)).toEqual([
    'SKILL.md:7 "serch-hint" is not a key of metadata.svc; did you mean "search-hint"?',
    'tools.yaml:2 "destructiv" is not a key of a tool; did you mean "destructive"?',
    'tools.yaml:2 "requird" is not a key of a JSON Schema; did you mean "required"?',
    'tools.yaml:5 "readonlyHint" is not a key of annotations; did you mean "read_only_hint"?',
    'tools.yaml:6 "on-sucess" is not a key of next-tools; did you mean "on-success"?',
    'prompts.yaml:3 "templat" is not a key of a prompt; did you mean "template"?',
    'tools.yaml:8 tool "d": source_file "tools/none.ts" does not exist',
    'tools/a.ts:1 Could not resolve "./n.ts"',
    'tools/a.ts:2 Could not resolve "no-such-package"',
    expect.stringMatching(/^scripts\/b\.py:3 invalid syntax/),
    'scripts/c.sh:4 syntax error: unexpected end of file',
  ]);
  expect(told(report.warnings)).toEqual([
    'SKILL.md:8 metadata.svc: "tags" must be array; the key is ignored',
    'SKILL.md:9 "colour" is not a key of metadata.svc',
    'prompts.yaml:2 prompts.yaml: prompts[0] "p": "template" is required',
  ]);
  expect(await readdir(join(directory, 'scripts'))).toEqual(['b.py', 'c.sh']);

  await writeFile(join(directory, 'SKILL.md'), '---\nname: sins\ndescripton: d\n---\n');
  const refused = await validateSkillDirectory(directory);
  expect(told(refused.errors)).toEqual([
    'SKILL.md:3 SKILL.md has top-level keys of its own: descripton',
    'SKILL.md:3 "descripton" is not a key of SKILL.md; did you mean "description"?',
  ]);
  await writeFile(join(directory, 'SKILL.md'), '---\nname: sins\ndescription: d\nname: e\n---\n');
  expect(told((await validateSkillDirectory(directory)).errors)[0]).toMatch(/^SKILL\.md:4 .*key "name" stands twice/);
  await writeFile(join(directory, 'SKILL.md'), skillMd('sins'));
  await writeFile(join(directory, 'tools.yaml'), 'tools:\n  - name: a\n   description: [\n');
  expect(told((await validateSkillDirectory(directory)).errors)[0]).toMatch(/^tools\.yaml:\d/);
});

test('a tool file without a default export is told by its name', async () => {
  const directory = await writeSkill(await tempDir(), 'plain', {
    'SKILL.md': skillMd('plain'),
    'tools.yaml': 'tools: [{ name: a, description: A. }, { name: b, description: B. }]',
    'tools/a.ts': 'import { parse } from "yaml";\nexport default () => parse("1");\n',
    'tools/b.ts': 'export const b = 1;\n',
  });
  const { errors, warnings } = await validateSkillDirectory(directory);
  expect(errors).toMatchObject([{ file: 'tools/b.ts', line: 1, message: expect.stringContaining('default export') }]);
  expect(warnings).toEqual([]);
});
