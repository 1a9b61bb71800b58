/** What packages need of the machine, and whether it is there. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../helper.ts';
import { skillApp, skillMd } from '../support.ts';

const python = { SVC_PYTHON_EXECUTABLE: 'python3', PRESENT: '1' };

test('declared programs, variables and modules are told as available, degraded or missing', async () => {
  const { json } = await skillApp(
    {
      needy: {
        'SKILL.md': skillMd('needy', { svc: '    runtimes: needs/runtimes.yaml' }),
        'needs/runtimes.yaml': `runtimes:
  - { name: json-module, type: python_package, module: json.decoder, description: Reads. }
  - { name: nowhere, type: python_package, package: nowhere, module: nowhere_at_all, install_hint: pip install nowhere }
  - { type: binary, binary: no-such-program, optional: true }
  - { name: PRESENT, type: env_var }
`,
      },
      happy: { 'SKILL.md': skillMd('happy', { svc: '    runtimes: [{name: node, type: binary}]' }) },
      claw: {
        'SKILL.md':
          '---\nname: claw\ndescription: d\nmetadata:\n  openclaw: {requires: {bins: [no-such-program], env: [PRESENT]}}\n---\n',
      },
      plain: { 'SKILL.md': skillMd('plain') },
    },
    {},
    python,
  );
  expect(await json('get_skill_info', { skill_name: 'needy' })).toMatchObject({
    runtime_state: 'missing',
    runtime: 'json-module: available, nowhere: missing, no-such-program: degraded, PRESENT: available',
    runtimes: [
      { name: 'json-module', type: 'python_package', state: 'available', description: 'Reads.' },
      { name: 'nowhere', state: 'missing', guidance: 'pip install nowhere' },
      { name: 'no-such-program', type: 'binary', state: 'degraded' },
      { name: 'PRESENT', state: 'available' },
    ],
  });
  const { skills } = await json('list_skills', { fields: ['name', 'runtime', 'runtime_state'] });
  expect(skills).toEqual([
    { name: 'claw', runtime: 'no-such-program: missing, PRESENT: available', runtime_state: 'missing' },
    { name: 'happy', runtime: 'node: available', runtime_state: 'available' },
    { name: 'needy', runtime: expect.stringContaining('nowhere: missing'), runtime_state: 'missing' },
    { name: 'plain' },
  ]);
  expect((await json('list_skills')).skills).toMatchObject([{}, {}, {}, { name: 'plain' }]);
  const loaded = await json('load_skill', { skill_names: ['needy', 'plain'] });
  expect(loaded).toMatchObject({ loaded: true, missing_runtimes: [{ name: 'nowhere' }] });
});

test('a missing interpreter of a script is told, one that is there is not', async () => {
  const bin = join(await tempDir(), 'bin');
  await mkdir(bin);
  await symlink('/bin/sh', join(bin, 'bash'));
  const { json } = await skillApp(
    { both: { 'SKILL.md': skillMd('both'), 'scripts/a.sh': '', 'scripts/b.py': '', 'scripts/c.ps1': '' } },
    {},
    { PATH: bin },
  );
  expect(await json('get_skill_info', { skill_name: 'both' })).toMatchObject({
    runtime: 'python: missing, pwsh: missing',
    runtime_state: 'missing',
  });
});
