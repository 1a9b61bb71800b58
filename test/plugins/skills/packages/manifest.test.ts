import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFrontmatter } from '../../../../plugins/skills/packages/frontmatter.ts';
import { readPackage, type SkillManifest } from '../../../../plugins/skills/packages/manifest.ts';
import { Rejection } from '../../../../plugins/skills/packages/rejection.ts';
import { resolveToolFiles } from '../../../../plugins/skills/packages/tool-files.ts';
import { computing, tempDir } from '../../../helper.ts';
import { type Files, skillMd, writeFiles } from '../support.ts';

async function packageOf(files: Files): Promise<string> {
  return writeFiles(join(await realpath(await tempDir()), 'alpha'), files);
}

async function manifestOf(files: Files): Promise<SkillManifest> {
  const reading = await readPackage(await packageOf(files));
  if ('skipped' in reading) throw new Error(JSON.stringify(reading.skipped));
  return reading.package.manifest;
}

const refusals: [string, string, Files][] = [
  ['missing_skill_md', 'no SKILL.md', { 'tools.yaml': '' }],
  ['missing_frontmatter', 'plain text', { 'SKILL.md': '# alpha' }],
  ['missing_frontmatter', 'an unclosed fence', { 'SKILL.md': '---\nname: alpha\n' }],
  ['invalid_frontmatter_yaml', 'broken YAML', { 'SKILL.md': '---\nname: [a\n---\n' }],
  ['invalid_frontmatter_yaml', 'a key twice', { 'SKILL.md': '---\nname: a\nname: b\n---\n' }],
  ['invalid_frontmatter_shape', 'a list', { 'SKILL.md': '---\n- a\n---\n' }],
  ['invalid_frontmatter_shape', 'no name', { 'SKILL.md': '---\ndescription: d\n---\n' }],
  ['invalid_frontmatter_shape', 'a name that is a list', { 'SKILL.md': '---\nname: [a]\n---\n' }],
  [
    'invalid_frontmatter_shape',
    'an unknown isolation',
    { 'SKILL.md': skillMd('alpha', { svc: '    isolation: jail' }) },
  ],
  ['non_spec_top_level_keys', 'a foreign key', { 'SKILL.md': '---\nname: a\ndescription: b\ndcc: maya\n---\n' }],
  ['read_error', 'no UTF-8', {}],
  ['read_error', 'a huge file', { 'SKILL.md': skillMd('alpha') + 'x'.repeat(600 * 1024) }],
];

for (const [code, what, files] of refusals) {
  test(`skipped diagnostics: ${what} is ${code}, with a fix and without an absolute path [spec:shape:skipped]`, async () => {
    const directory = await packageOf(files);
    if (what === 'no UTF-8') {
      await mkdir(directory);
      await writeFile(join(directory, 'SKILL.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]));
    }
    const reading = await readPackage(directory);
    if (!('skipped' in reading)) throw new Error('accepted');
    expect(reading.skipped).toMatchObject({ directory_name: 'alpha', reason_code: code });
    expect(reading.skipped.suggested_fix).not.toBe('');
    expect(reading.skipped.message).not.toContain(directory.slice(0, -6));
  });
}

test('YAML bombs are refused: aliases, depth, many keys', async () => {
  const bomb = `a: &a [${'x,'.repeat(9)}x]\n${[...'bcdefgh'].map((each, at) => `${each}: &${each} [${`*${'abcdefg'[at]},`.repeat(9)}*${'abcdefg'[at]}]`).join('\n')}`;
  for (const text of [bomb, `a: ${'['.repeat(50_000)}`, `${'- '.repeat(500)}a`]) {
    await expect(parseFrontmatter(`---\n${text}\n---\n`)).rejects.toThrow(Rejection);
  }
  const spent = computing();
  const keys = Array.from({ length: 6000 }, (_, at) => `k${at}: 1`).join('\n');
  expect(Object.keys((await parseFrontmatter(`---\n${keys}\n---\n`)).data)).toHaveLength(6000);
  expect(spent()).toBeLessThan(2000);
});

test('property: no text makes the frontmatter parser do anything but answer or refuse', async () => {
  const yamlish = fc
    .array(
      fc.constantFrom(
        'a',
        ': ',
        '- ',
        '\n',
        '  ',
        '[',
        ']',
        '{',
        '}',
        '&a ',
        '*a',
        '"',
        "'",
        '|',
        '>',
        '!',
        '---',
        '\t',
        '#',
        '?',
        ',',
        '\r\n',
        '\0',
        '__proto__: ',
      ),
    )
    .map(parts => parts.join(''));
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), yamlish);
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (body, fenced) => {
      try {
        const { data } = await parseFrontmatter(fenced ? `---\n${body}\n---\n` : body);
        expect(typeof data).toBe('object');
      } catch (error) {
        expect(error).toBeInstanceOf(Rejection);
      }
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test('frontmatter: byte order mark, CRLF and metadata.svc in kebab, snake and camel case', async () => {
  const text = `\uFEFF---\r\nname: alpha\r\ndescription: d\r\nallowed-tools: Read Bash\r\nmetadata:\r\n  svc:\r\n    dcc: maya\r\n    version: 1.10\r\n    tags: [a, 2024]\r\n    search-hint: find me\r\n    search_aliases: [x]\r\n    allowImplicitInvocation: "false"\r\n---\r\nBody\r\n`;
  expect(await manifestOf({ 'SKILL.md': text })).toMatchObject({
    name: 'alpha',
    dcc: 'maya',
    version: '1.10',
    tags: ['a', '2024'],
    search_hint: 'find me',
    search_aliases: ['x'],
    allowed_tools: ['Read', 'Bash'],
    allow_implicit_invocation: false,
    body: 'Body',
  });
});

test('metadata.dcc-mcp is an alias, nested or flat; metadata.svc wins', async () => {
  const front = (metadata: string) => ({
    'SKILL.md': `---\nname: alpha\ndescription: d\nmetadata:\n${metadata}\n---\n`,
  });
  expect(await manifestOf(front('  dcc-mcp:\n    dcc: maya\n    depends: [b]'))).toMatchObject({
    dcc: 'maya',
    depends: ['b'],
  });
  const flat = '  dcc-mcp.dcc: houdini\n  dcc-mcp.tags: "a, b"\n  dcc-mcp.version: "2"\n  svc.version: "3"';
  expect(await manifestOf(front(flat))).toMatchObject({ dcc: 'houdini', tags: ['a', 'b'], version: '3' });
  expect(await manifestOf(front('  other: 1'))).toMatchObject({ dcc: 'python', version: '1.0.0', tags: [] });
  // As the examples of the Agent Skills format have it; what is said to us comes first.
  expect(await manifestOf(front('  author: a\n  version: 1.10'))).toMatchObject({ version: '1.10' });
  expect(await manifestOf(front('  version: "2"\n  svc:\n    version: "3"'))).toMatchObject({ version: '3' });
  expect(await manifestOf(front('  version: [2]'))).toMatchObject({ version: '1.0.0' });
});

test('tools.yaml: spellings, hints at the top level, affinity aliases, next-tools, groups [spec:shape:declarations]', async () => {
  const tools = `tools:
  - name: a
    inputSchema: {type: object, properties: {x: {type: integer}}}
    read_only: true
    annotations: {destructiveHint: false, title: A}
    next-tools: {on-success: [alpha__b]}
    thread-affinity: main
    timeout-hint-secs: 5
    execution: async
    custom: 1
  - {name: b, idempotent_hint: true, group: g2}
`;
  const groups = 'groups:\n  - {name: g1, tools: [a], default-active: true}\n';
  const manifest = await manifestOf({ 'SKILL.md': skillMd('alpha'), 'tools.yaml': tools, 'groups.yaml': groups });
  expect(manifest.tools[0]).toMatchObject({
    input_schema: { properties: { x: { type: 'integer' } } },
    annotations: { title: 'A', read_only_hint: true, destructive_hint: false },
    next_tools: { on_success: ['alpha__b'] },
    affinity: 'main',
    timeout_hint_secs: 5,
    execution: 'async',
    group: 'g1',
    custom: 1,
  });
  expect(manifest.tools[1]).toMatchObject({ annotations: { idempotent_hint: true }, group: 'g2', affinity: 'any' });
  expect(manifest.tools[1]).not.toHaveProperty('execution');
  expect(manifest.groups.map(each => [each.name, each.tools, each.default_active])).toEqual([
    ['g1', ['a'], true],
    ['g2', ['b'], false],
  ]);
});

test('metadata/depends.md adds dependencies: each line that is a name; prose is no dependency', async () => {
  const of = (text: string) =>
    manifestOf({ 'SKILL.md': skillMd('alpha', { svc: '    depends: [x]' }), 'metadata/depends.md': text });
  expect((await of('- y\n- x\n')).depends).toEqual(['x', 'y']);
  const prose = '# Needs\n\nLoad these first: they make the scene.\n\n* scene-base\n- Optional\n- two words\nrig-2\n';
  expect(await of(prose)).toMatchObject({ depends: ['x', 'scene-base', 'rig-2'], warnings: [] });
  const nobody = await of('Nothing: really, [nothing.');
  expect(nobody).toMatchObject({ depends: ['x'], warnings: [{ reason_code: 'invalid_depends' }] });
});

test('script resolution: source_file, tools/<stem>, scripts/<stem>, the only script, else nothing', async () => {
  const directory = await packageOf({
    'tools/make_it.ts': '',
    'tools/make_it.d.ts': '',
    'scripts/other.py': '',
    'scripts/Grow-Up.sh': '',
    'scripts/__init__.py': '',
    'code/deep.mjs': '',
    'code/run.py': '',
  });
  const resolve = async (...tools: object[]) =>
    (await resolveToolFiles(directory, tools.map(each => ({ source_file: '', ...each })) as never)).map(each => [
      each.name,
      each.path.slice(directory.length + 1),
      each.kind,
    ]);
  expect(
    await resolve(
      { name: 'Alpha__Make-It' },
      { name: 'grow_up' },
      { name: 'nothing' },
      { name: 'deep', source_file: 'code/deep.mjs' },
      { name: 'py', source_file: 'code/run.py' },
      { name: 'js', source_file: './scripts/other.py' },
    ),
  ).toEqual([
    ['Alpha__Make-It', 'tools/make_it.ts', 'module'],
    ['grow_up', 'scripts/Grow-Up.sh', 'script'],
    ['deep', 'code/deep.mjs', 'module'],
    ['py', 'code/run.py', 'script'],
    ['js', 'scripts/other.py', 'script'],
  ]);
  await expect(resolve({ name: 'a', source_file: 'no.ts' })).rejects.toThrow(/does not exist/);
  await expect(resolve({ name: 'a', source_file: '../a.ts' })).rejects.toMatchObject({
    reason: 'path_outside_directory',
  });
  const single = await packageOf({ 'scripts/one.py': '' });
  const [only] = await resolveToolFiles(single, [{ name: 'any', source_file: '' }] as never);
  expect(only?.path).toBe(join(single, 'scripts/one.py'));
});

test('links that lead out of the package are refused', async () => {
  const directory = await packageOf({ 'SKILL.md': skillMd('alpha'), 'scripts/a.py': '' });
  await writeFile(join(directory, '..', 'secret.py'), '');
  await symlink(join(directory, '..', 'secret.py'), join(directory, 'scripts', 'b.py'));
  await expect(resolveToolFiles(directory, [{ name: 'b', source_file: '' }] as never)).rejects.toMatchObject({
    reason: 'path_outside_directory',
  });
  await symlink(join(directory, '..', 'secret.py'), join(directory, 'tools.yaml'));
  expect(await readPackage(directory)).toMatchObject({
    package: { manifest: { tools: [{ name: 'a' }], unread: { reason_code: 'path_outside_directory' } } },
  });
  await rm(join(directory, 'SKILL.md'));
  await symlink(join(directory, '..', 'secret.py'), join(directory, 'SKILL.md'));
  expect(await readPackage(directory)).toMatchObject({ skipped: { reason_code: 'path_outside_directory' } });
});

test('what is written like YAML inside a text is no nesting', async () => {
  const ranges = Array.from({ length: 80 }, (_, at) => `  - {name: t${at}, description: "of [0, 1) and {"}`).join('\n');
  const yaml = `tools:\n${ranges}\n# ${'- '.repeat(80)}\n`;
  const rule = skillMd('alpha', { svc: `    search_hint: |\n      ${'-'.repeat(90)}\n      ${'- '.repeat(90)}` });
  const directory = await packageOf({ 'SKILL.md': rule, 'tools.yaml': yaml });
  const reading = await readPackage(directory);
  expect(reading).toMatchObject({
    package: { manifest: { warnings: [], search_hint: expect.stringContaining('- - -') } },
  });
  expect('package' in reading && reading.package.manifest.tools.length).toBe(80);
});

test('merge keys are what they are to the authors of generated declarations', async () => {
  const yaml = `tools:
  - name: a
    output_schema: {type: object, properties: &shared {success: {type: boolean}, n: {type: string}}}
  - name: b
    output_schema: {type: object, properties: {<<: *shared, n: {type: number}}}
`;
  const { tools } = await manifestOf({ 'SKILL.md': skillMd('alpha'), 'tools.yaml': yaml });
  expect(tools[1]?.output_schema?.properties).toEqual({ success: { type: 'boolean' }, n: { type: 'number' } });
});

test('an anchor may be named as often as a generated file names it, and stands for no more than a host can hold', async () => {
  const tool = (at: number): string =>
    `  - name: t${at}\n    input_schema: {type: object, properties: {${'abcdefghijklmnop'.replaceAll(/./g, each => `${each}: *n, `)}}}`;
  const many = `n: &n {type: number}\ntools:\n${Array.from({ length: 100 }, (_, at) => tool(at)).join('\n')}`;
  const { tools, warnings } = await manifestOf({ 'SKILL.md': skillMd('alpha'), 'tools.yaml': many });
  expect(warnings).toEqual([]);
  expect(tools[99]?.input_schema).toMatchObject({ properties: { p: { type: 'number' } } });
  const large = `n: &n "${'x'.repeat(3000)}"\ntools: [${'*n, '.repeat(1000)}]`;
  const read = await manifestOf({ 'SKILL.md': skillMd('alpha'), 'tools.yaml': large });
  expect(read).toMatchObject({ unread: { message: 'tools.yaml: its aliases stand for too much (line 2)' } });
});

test('the fences of the frontmatter may say more than their three dashes', async () => {
  for (const text of [
    '--- # keys\nname: alpha\ndescription: d\n--- # text\nBody\n',
    '---\nname: alpha\ndescription: d\n------\nBody\n',
    '---   \r\nname: alpha\r\ndescription: d\r\n---\r\nBody',
  ]) {
    const reading = await readPackage(await packageOf({ 'SKILL.md': text }));
    expect(reading).toMatchObject({ package: { name: 'alpha', manifest: { body: 'Body' } } });
  }
});
