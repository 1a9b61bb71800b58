/** What is wrong with a part of a package leaves out that part: the rest loads, and everybody who asks is told. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateSkillDirectory } from '../../../../plugins/skills/api.ts';
import { readPackage } from '../../../../plugins/skills/packages/manifest.ts';
import { tempDir } from '../../../helper.ts';
import { answering, type Files, skillApp, skillMd, writeFiles } from '../support.ts';

const tools = (yaml: string): Files => ({ 'SKILL.md': skillMd('alpha'), 'tools.yaml': yaml });

const cut = expect.stringMatching(/^a{59}-[0-9a-f]{4}$/);
const ignored = (key: string): object => ({ warnings: [{ message: expect.stringContaining(`"${key}" is ignored`) }] });
const outside = (svc: string): Files => ({ 'SKILL.md': skillMd('alpha', { svc: `    ${svc}` }), 'scripts/run.sh': '' });

const tolerated: [string, string, Files, object][] = [
  [
    'no description',
    'invalid_frontmatter_shape',
    { 'SKILL.md': '---\nname: alpha\n---\n# Head\n\nCounts things.\n' },
    { name: 'alpha', description: 'Counts things.' },
  ],
  [
    'metadata as text',
    'invalid_frontmatter_shape',
    { 'SKILL.md': '---\nname: alpha\ndescription: b\nmetadata: c\n---\n' },
    { description: 'b', metadata: {} },
  ],
  [
    'keys of the wrong type',
    'invalid_frontmatter_shape',
    { 'SKILL.md': skillMd('alpha', { svc: '    tags: {a: 1}\n    stage: [x]\n    links: none\n    dcc: maya' }) },
    { dcc: 'maya', tags: [], links: {} },
  ],
  [
    'a name that clients refuse',
    'invalid_name',
    { 'SKILL.md': skillMd('"My Skill v1.2"') },
    { name: 'My-Skill-v1-2', provides: ['My Skill v1.2'] },
  ],
  [
    'a tools file that is not there',
    'invalid_tools_yaml',
    { 'SKILL.md': skillMd('alpha', { svc: '    tools: other.yaml' }) },
    { tools: [], unread: { reason_code: 'invalid_tools_yaml' } },
  ],
  ['tools as text', 'invalid_tools_yaml', tools('tools: none'), { tools: [] }],
  ['a tools file that is no YAML', 'invalid_tools_yaml', tools('tools: [{name: a'), { tools: [] }],
  [
    'deferred',
    'invalid_tools_yaml',
    tools('tools: [{name: a, deferred: true}, {name: b}]'),
    { tools: [{ name: 'b' }], missing: [{ name: 'a' }] },
  ],
  [
    'a tool without a name',
    'invalid_tools_yaml',
    tools('tools: [{description: a}, 7, {name: b}]'),
    { tools: [{ name: 'b' }], missing: [{ name: 'entry 1' }, { name: 'entry 2' }] },
  ],
  [
    'a key of a tool twice',
    'invalid_tools_yaml',
    tools('tools:\n  - name: a\n    description: first\n    description: last\n  - name: b\n'),
    {
      tools: [{ name: 'a', description: 'last' }, { name: 'b' }],
      warnings: [{ message: 'tools.yaml: key "description" stands twice in one mapping: the last one counts' }],
    },
  ],
  [
    'a tool twice',
    'duplicate_tool_name',
    tools('tools: [{name: a, description: first}, {name: a}, {name: b}]'),
    { tools: [{ name: 'a', description: 'first' }, { name: 'b' }] },
  ],
  [
    'a tool name that clients refuse',
    'invalid_name',
    tools('tools: [{name: a.b}, {name: c}]'),
    { tools: [{ name: 'a_b' }, { name: 'c' }] },
  ],
  [
    'a tool name that is too long',
    'name_too_long',
    tools(`tools: [{name: ${'a'.repeat(65)}}, {name: ${'a'.repeat(66)}}, {name: b}]`),
    { tools: [{ name: cut }, { name: cut }, { name: 'b' }] },
  ],
  [
    'a name that is too long',
    'name_too_long',
    { 'SKILL.md': skillMd('a'.repeat(70)) },
    { name: cut, provides: ['a'.repeat(70)] },
  ],
  ['tools out of it', 'path_outside_directory', outside('tools: ../tools.yaml'), { tools: [{ name: 'run' }] }],
  ['tools by an absolute path', 'path_outside_directory', outside('tools: /etc/passwd'), { tools: [{ name: 'run' }] }],
  ['groups out of it', 'path_outside_directory', outside('groups: ../groups.yaml'), { groups: [] }],
  ['prompts out of it', 'path_outside_directory', outside('prompts: ../p/*.yaml'), ignored('prompts')],
  ['resources out of it', 'path_outside_directory', outside('resources: /etc'), ignored('resources')],
  [
    'odd entries in lists',
    'invalid_frontmatter_shape',
    { 'SKILL.md': skillMd('alpha', { svc: '    tags: [a, {b: c}, 2]\n    depends: [{name: x}, beta]' }) },
    { tags: ['a', '2'], depends: ['beta'] },
  ],
  [
    'keys of a tool with the wrong type',
    'invalid_tools_yaml',
    tools(
      'tools: [{name: a, output_schema: text, execution: soon, timeout_hint_secs: long, next-tools: [b], tags: {}}]',
    ),
    { tools: [{ name: 'a', next_tools: {}, tags: [] }] },
  ],
  [
    'hints that say neither yes nor no',
    'invalid_tools_yaml',
    tools('tools: [{name: a, read_only: maybe, destructive: "yes", annotations: {idempotent_hint: [], title: T}}]'),
    { tools: [{ annotations: { destructive_hint: true, title: 'T' } }] },
  ],
  ['groups as text', 'invalid_groups_yaml', { ...tools('tools: [a]'), 'groups.yaml': 'groups: none' }, { groups: [] }],
  [
    'a group twice',
    'invalid_groups_yaml',
    { ...tools('tools: [a]'), 'groups.yaml': 'groups: [{name: g, tools: [a]}, {name: g}, {tools: [a]}]' },
    { groups: [{ name: 'g', tools: ['a'] }] },
  ],
];

for (const [what, code, files, manifest] of tolerated) {
  test(`a package with ${what} counts without it, with a warning that says so`, async () => {
    const directory = await writeFiles(join(await tempDir(), 'alpha'), files);
    const reading = await readPackage(directory);
    if ('skipped' in reading) throw new Error(JSON.stringify(reading.skipped));
    expect(reading.package.manifest).toMatchObject(manifest);
    expect(reading.package.manifest.warnings.map(each => each.reason_code)).toContain(code);
    expect(JSON.stringify(reading.package.manifest.warnings)).not.toContain(directory);
    const report = await validateSkillDirectory(directory);
    expect([...report.errors, ...report.warnings].map(each => each.reason_code)).toContain(code);
  });
}

const partly = (): Files =>
  answering('alpha', 'a', {
    tools: `tools:
  - name: alpha_answer
  - {name: lost, source_file: scripts/lost.py}
  - {name: outside, source_file: ../other/x.py}
  - {name: loose, source_file: tools/alpha_answer.ts, input_schema: {type: object, properties: {x: {type: wrong}}}}
  - {name: plain, source_file: tools/alpha_answer.ts, output_schema: {type: array}}
  - {description: nameless}
`,
  });

test('load_skill says which tools are missing and why; a load promises no tool whose file is not there', async () => {
  const { app, json, call } = await skillApp({ alpha: partly() });
  const loaded = await json('load_skill', { skill_name: 'alpha' });
  expect(loaded).toMatchObject({ loaded: true, registered_tools: ['alpha_answer', 'loose', 'plain'], tool_count: 3 });
  expect(loaded.missing_tools).toMatchObject([
    { skill_name: 'alpha', name: 'entry 6', reason_code: 'invalid_tools_yaml' },
    { name: 'lost', reason_code: 'missing_source_file', message: expect.stringContaining('scripts/lost.py') },
    { name: 'outside', reason_code: 'path_outside_directory' },
  ]);
  expect(JSON.stringify(loaded.warnings)).toContain('arguments are not checked');
  expect(JSON.stringify(loaded.warnings)).toContain('results are not checked');
  expect(await app.skills.load('alpha')).toEqual(['alpha_answer', 'loose', 'plain']);
  expect(app.tools.hasHandler('lost')).toBe(false);
  expect(await json('loose', { x: 1 })).toMatchObject({ args: { x: 1 } });
  await expect(call('outside')).rejects.toThrow(/no handler/);
});

test('list_skills and get_skill_info show the warnings of a package, loaded or not', async () => {
  const { json } = await skillApp({ alpha: partly(), beta: answering('beta', 'b') });
  const [alpha, beta] = (await json('list_skills')).skills as Record<string, unknown>[];
  expect(alpha?.warnings).toEqual([
    expect.stringContaining('"name" is required'),
    expect.stringContaining('scripts/lost.py'),
    expect.stringContaining('outside'),
  ]);
  expect(beta).not.toHaveProperty('warnings');
  expect(await json('get_skill_info', { skill_name: 'alpha' })).toMatchObject({
    missing_tools: [{ name: 'entry 6' }, { name: 'lost' }, { name: 'outside' }],
    warnings: [{ suggested_fix: expect.any(String) }, {}, {}],
  });
});

test('a tool whose file comes later works after the reload', async () => {
  const { app, root, json } = await skillApp({ alpha: partly() }, {}, { SVC_PYTHON_EXECUTABLE: 'python3' });
  await app.skills.load('alpha');
  await writeFiles(join(root, 'alpha'), { 'scripts/lost.py': 'print("found")' });
  await app.skills.unload('alpha');
  expect(await app.skills.load('alpha')).toContain('lost');
  expect(await json('lost')).toMatchObject({ message: 'found' });
});

test('a save of tools.yaml that cannot be read takes no tool away from a loaded skill', async () => {
  const { app, root, json } = await skillApp({ alpha: answering('alpha', 'a') });
  await app.skills.load('alpha');
  await writeFile(join(root, 'alpha', 'tools.yaml'), 'tools: [{name: alpha_');
  await app.skills.discover();
  expect(await json('alpha_answer')).toMatchObject({ answer: 'a' });
  expect(app.skills.list()).toMatchObject([{ status: 'error', loaded: true }]);
  await writeFile(join(root, 'alpha', 'tools.yaml'), 'tools: [{name: alpha_answer, description: new}]');
  await app.skills.discover();
  expect(app.skills.list()).toMatchObject([{ status: 'loaded' }]);
});

test('a skill is met under the names that it provides, and with _ for -', async () => {
  const { app, json } = await skillApp({
    'scene-tools': answering('scene-tools', 's', { svc: '    depends: [old-base]' }),
    base: answering('base', 'b', { svc: '    provides: [old-base, older]' }),
  });
  expect(app.skills.list().map(each => each.status)).toEqual(['unloaded', 'unloaded']);
  expect(await json('load_skill', { skill_name: 'scene_tools' })).toMatchObject({
    newly_loaded: ['base', 'scene-tools'],
  });
  expect(await json('load_skill', { skill_name: 'older' })).toMatchObject({ already_loaded: ['base'] });
  await expect(app.skills.unload('old-base')).rejects.toThrow(/scene-tools/);
});
