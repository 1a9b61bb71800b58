/** A package without declared tools has its scripts as tools. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe, scriptTools } from '../../../../plugins/skills/packages/script-tools.ts';
import { skillApp, skillMd, writeFiles } from '../support.ts';

const python = { SVC_PYTHON_EXECUTABLE: 'python3' };

test('each script of a package that declares no tools is a tool, described by its first words, and runs when called', async () => {
  const { app, root, json } = await skillApp(
    {
      words: {
        'SKILL.md': skillMd('words', { description: 'About words.' }),
        'scripts/count-words.py':
          '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n"""Counts words.\n\nMore."""\nimport sys, json\nprint(len(json.load(sys.stdin)["text"].split()), "words")\n',
        'scripts/shout.sh': '#!/bin/bash\n# Says it\n# loudly.\n\necho LOUD\n',
        'scripts/bare.py': 'print("bare")\n',
        'scripts/data.json': '{}',
        'scripts/notes.md': 'no',
        'scripts/.hidden.py': 'print(1)',
        'scripts/deep/inner.py': 'print(1)',
      },
    },
    {},
    python,
  );
  await symlink('/etc/passwd', join(root, 'words', 'scripts', 'link.py'));
  await app.skills.discover();
  expect(app.skills.list()).toMatchObject([{ tool_names: ['bare', 'count_words', 'shout'] }]);
  expect(await app.skills.load('words')).toEqual(['bare', 'count_words', 'shout']);
  expect(['bare', 'count_words', 'shout'].map(name => app.tools.get(name)?.description)).toEqual([
    '[words] About words.',
    'Counts words.',
    'Says it loudly.',
  ]);
  // Nobody has said that it is harmless.
  expect(app.tools.get('bare')?.annotations).toEqual({});
  expect(await json('count_words', { text: 'one two' })).toMatchObject({ message: '2 words' });
});

test('a new script becomes a tool at the next look; a changed description is told', async () => {
  const { app, root } = await skillApp({ words: { 'SKILL.md': skillMd('words'), 'scripts/a.sh': '# One.\n' } });
  await app.skills.load('words');
  await writeFiles(join(root, 'words'), { 'scripts/a.sh': '# Two.\n', 'scripts/b.sh': 'echo b' });
  await app.skills.discover();
  expect(app.skills.list()).toMatchObject([{ tool_names: ['a', 'b'], loaded: true }]);
  expect(app.tools.get('a')?.description).toBe('Two.');
});

test('a package opts out with scripts: false; declared tools leave the other scripts alone', async () => {
  const { app } = await skillApp({
    off: { 'SKILL.md': skillMd('off', { svc: '    scripts: false' }), 'scripts/a.py': '' },
    some: { 'SKILL.md': skillMd('some'), 'tools.yaml': 'tools: [b]', 'scripts/a.py': '', 'scripts/b.py': '' },
  });
  expect(app.skills.list().map(each => [each.name, each.tool_names])).toEqual([
    ['off', []],
    ['some', ['b']],
  ]);
});

test('a package whose tools file is broken has its scripts as tools, with a warning', async () => {
  const files = { 'SKILL.md': skillMd('alpha'), 'tools.yaml': 'tools: {', 'scripts/a.sh': 'echo a' };
  const { app, json } = await skillApp({ alpha: files });
  expect(await json('load_skill', { skill_name: 'alpha' })).toMatchObject({
    registered_tools: ['a'],
    warnings: [{ reason_code: 'invalid_tools_yaml', message: expect.stringMatching(/tools\.yaml.*line 1/) }],
  });
  expect(app.skills.skipped()).toEqual([]);
});

test('scripts of one stem get two names, and no name looks like a placeholder', () => {
  const names = ['run.py', 'run.sh', '__skill__x.py', '--.py', 'a b.js'].map(file => ({ file, head: '' }));
  expect(scriptTools(names, 'd').map(each => each.name)).toEqual(['run', 'run_sh', 'skill__x', 'script_4', 'a_b']);
});

const heads: [string, string, string | undefined][] = [
  ['.py', "'''One line.'''", 'One line.'],
  ['.py', '# Comment first.\n\nimport x\n', 'Comment first.'],
  ['.py', '# licence\n\nr"""Raw\n  doc."""', 'Raw doc.'],
  ['.py', '"""Never closed', 'Never closed'],
  ['.py', 'import x\n"""not this"""', undefined],
  // What a script needs is no description of it (PEP 723).
  ['.py', '#!/usr/bin/env -S uv run\n# /// script\n# dependencies = ["x"]\n# ///\nimport x\n', undefined],
  ['.py', '# /// script\r\n# dependencies = []\r\n# ///\r\n# Makes it.\r\n', 'Makes it.'],
  ['.py', '# Makes it.\n#\n# /// script\n# dependencies = ["cut', 'Makes it.'],
  ['.js', "'use strict';\n/**\n * Draws it.\n * @param x\n */", 'Draws it. @param x'],
  ['.ts', '// Draws\n// more\nconst x = 1;', 'Draws more'],
  ['.ps1', '<#\n.SYNOPSIS\n  Lists them.\n.PARAMETER X\n#>', 'Lists them.'],
  ['.bat', '@echo off\nREM Builds it.\n', 'Builds it.'],
  ['.sh', '', undefined],
  ['.py', `"""${'x'.repeat(900)}"""`, `${'x'.repeat(499)}…`],
];

for (const [extension, head, expected] of heads) {
  test(`the first words of ${JSON.stringify(head.slice(0, 30))} (${extension})`, () => {
    expect(describe(head, extension)).toBe(expected);
  });
}
