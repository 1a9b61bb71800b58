/** What packages say that their Python scripts need, in each of the ways in which packages do. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pythonNeeds } from '../../../../plugins/skills/python/needs.ts';
import { isVersionSpec, satisfies } from '../../../../plugins/skills/python/versions.ts';
import { tempDir } from '../../../helper.ts';
import { type Files, writeFiles } from '../support.ts';

async function needsOf(files: Files, manifest: { python?: string; requirements?: string | string[] } = {}) {
  const directory = await writeFiles(await tempDir(), { 'scripts/a.py': 'print(1)\n', ...files });
  const tools = [{ name: 'a', path: join(directory, 'scripts/a.py'), kind: 'script' as const }];
  return { directory, need: (await pythonNeeds(directory, manifest, tools)).a };
}

test('a script says it itself; else requirements.txt beside SKILL.md or the scripts; else the frontmatter', async () => {
  const inline =
    '#!/usr/bin/env python\n# /// script\n# requires-python = ">=3.9"\n# dependencies = ["rich>=13", "httpx"]\n#\n# [tool.uv]\n# x = 1\n# ///\n';
  expect(
    (await needsOf({ 'scripts/a.py': inline.replaceAll('\n', '\r\n'), 'requirements.txt': 'other\n' })).need,
  ).toEqual({
    python: '>=3.9',
    requirements: 'rich>=13\nhttpx',
  });
  const { directory, need } = await needsOf({
    'requirements.txt': '-r more/base.txt\na==1\n',
    'more/base.txt': 'b==2\n-c ../limits.txt\n',
    'limits.txt': 'c<3\n',
  });
  expect(need).toEqual({
    python: '',
    requirements: '-r more/base.txt\na==1\nb==2\n-c ../limits.txt\nc<3',
    file: join(directory, 'requirements.txt'),
  });
  expect((await needsOf({ 'scripts/requirements.txt': 'd\n' })).need?.requirements).toBe('d');
  expect((await needsOf({}, { requirements: ['e', 'f>1'], python: '3.11' })).need).toEqual({
    python: '3.11',
    requirements: 'e\nf>1',
  });
  expect((await needsOf({ 'deps.txt': 'g\n' }, { requirements: 'deps.txt' })).need?.requirements).toBe('g');
  expect((await needsOf({})).need).toBeUndefined();
  const pyproject = `[project]\nname = "x"\nrequires-python = ">=3.8"\ndependencies = ["h>=1", "i"]\n[project.optional-dependencies]\ndev = ["j"]\n`;
  expect((await needsOf({ 'pyproject.toml': pyproject })).need).toEqual({ python: '>=3.8', requirements: 'h>=1\ni' });
  expect((await needsOf({ 'pyproject.toml': pyproject }, { python: '3.11' })).need?.python).toBe('3.11');
  expect((await needsOf({ 'pyproject.toml': pyproject, 'requirements.txt': 'k\n' })).need?.requirements).toBe('k');
  expect((await needsOf({ 'pyproject.toml': pyproject }, { requirements: ['l'] })).need?.requirements).toBe('l');
  expect((await needsOf({ 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' })).need).toBeUndefined();
  expect((await needsOf({ 'requirements.txt': '\n' })).need).toBeUndefined();
});

test.each([
  [
    { 'scripts/a.py': 'x = 1\n# /// script\n# dependencies = [\n# ///\n' },
    {},
    /^scripts\/a\.py:2: its "# \/\/\/ script" block is no TOML/,
  ],
  [
    { 'scripts/a.py': '# /// script\n# dependencies = ["--index-url=http://x"]\n# ///\n' },
    {},
    /^scripts\/a\.py:1: "dependencies" has what is no requirement: --index/,
  ],
  [
    { 'scripts/a.py': '# /// script\n# requires-python = 3\n# ///\n' },
    {},
    /^scripts\/a\.py:1: "requires-python" is no text/,
  ],
  [{ 'pyproject.toml': '[project\n' }, {}, /^pyproject\.toml is no TOML/],
  [{ 'pyproject.toml': '[project]\ndependencies = "a"\n' }, {}, /^pyproject\.toml: "dependencies" is no list/],
  [{}, { requirements: ['-e .'] }, /SKILL.md: "requirements" has what is no requirement/],
  [{}, { requirements: 'gone.txt' }, /names gone.txt, which does not exist/],
  [{}, { requirements: '../../etc/passwd' }, /lies outside the package directory/],
  [{ 'requirements.txt': 'x'.repeat(300_000) }, {}, /requirements.txt is larger than/],
] as [Files, object, RegExp][])(
  'what cannot be read is a problem of the tool, by file: %#',
  async (files, manifest, problem) => {
    expect((await needsOf(files, manifest)).need?.problem).toMatch(problem);
  },
);

test.each([
  ['>=3.10', true],
  ['>=3.10,<3.12', true],
  ['3.11', true],
  ['==3.11.*', true],
  ['~=3.9', true],
  ['!=3.11', false],
  ['3', true],
  ['3.1', false],
  ['> 3.11', true],
  ['>3.11.7', false],
  ['<3.11', false],
  ['', true],
])('3.11.7 is %s: %s', (spec, is) => {
  expect(isVersionSpec(spec)).toBe(true);
  expect(satisfies('3.11.7', spec)).toBe(is);
});

test('what is no version is the name of an interpreter', () => {
  for (const each of ['python3.12', 'pypy3', '/opt/python']) expect(isVersionSpec(each)).toBe(false);
});
