/** Python environments of skills, with a real interpreter, real environments and a real wheel; nothing reaches a network. */
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram } from '../../../../kernel/index.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { type Files, type SkillApp, skillApp, skillMd } from '../support.ts';
import { writeWheel } from './wheel.ts';

const offline = { PIP_NO_INDEX: '1', UV_OFFLINE: '1' };
const needing = (module: string): string =>
  `import json, sys, ${module}\nprint(json.dumps({'answer': ${module}.answer, 'prefix': sys.prefix}))\n`;
const block = (lines: string, body: string): string => `# /// script\n${lines}\n# ///\n${body}`;

const reports = (name: string, files: Files, svc = ''): Files => ({
  'SKILL.md': skillMd(name, { svc }),
  'tools.yaml':
    `tools:\n  - { name: ${name}_report, description: Reports., source_file: scripts/report.py }\n` +
    `  - { name: ${name}_plain, description: Needs nothing., source_file: scripts/plain.sh }\n`,
  'scripts/plain.sh': 'echo \'{"plain": true}\'\n',
  ...files,
});

const built = async (cache: string): Promise<string[]> =>
  (await readdir(join(cache, 'python'))).filter(each => !/\.(?:json|lock)$/.test(each));

const load = (app: SkillApp, name: string) => app.json('load_skill', { skill_name: name });

test('requirements are installed at load from the wheels of the package, once for all that need the same', async () => {
  const cache = await tempDir();
  const files = reports('alpha', { 'requirements.txt': 'svcprobe>=1\n', 'scripts/report.py': needing('svcprobe') });
  const apps = await Promise.all(
    [1, 2].map(async () => {
      const app = await skillApp(
        { alpha: files, beta: reports('beta', { ...files, ...reports('beta', {}) }) },
        { cache_dir: cache },
        offline,
      );
      for (const each of ['alpha', 'beta']) await writeWheel(join(app.root, each, 'wheels'), 'svcprobe', '1.0', 'one');
      return app;
    }),
  );
  // Two servers and two skills at the same moment.
  const [one, two] = apps as [SkillApp, SkillApp];
  const answers = await Promise.all([load(one, 'alpha'), load(one, 'beta'), load(two, 'alpha')]);
  for (const each of answers) expect(each).not.toHaveProperty('missing_runtimes');
  expect(answers[0]?.registered_tools).toEqual(['alpha_plain', 'alpha_report']);
  expect(await built(cache)).toHaveLength(1);
  const { answer, prefix } = await one.json('alpha_report');
  expect(answer).toBe('one');
  expect(prefix).toContain(join(cache, 'python'));
  expect(await two.json('alpha_report')).toEqual({ answer, prefix });
  expect(await one.json('beta_report')).toEqual({ answer, prefix });

  // Once made it needs nothing but its folder: not the wheels, not a network.
  const later = await skillApp(
    { gamma: reports('gamma', { ...files, ...reports('gamma', {}) }) },
    { cache_dir: cache },
    offline,
  );
  await writeWheel(join(later.root, 'gamma', 'wheels'), 'svcprobe', '1.0', 'one');
  await load(later, 'gamma');
  expect(await later.json('gamma_report')).toEqual({ answer, prefix });
  expect(await built(cache)).toHaveLength(1);
  // An environment whose interpreter is gone is made anew.
  await rm(join(String(prefix), 'bin'), { recursive: true });
  await later.call('unload_skill', { skill_name: 'gamma' });
  await load(later, 'gamma');
  expect((await later.json('gamma_report')).answer).toBe('one');
}, 60_000);

test('a module that a package needs is looked for where its scripts run, and what the server brings is not asked for', async () => {
  const app = await skillApp(
    {
      alpha: reports(
        'alpha',
        { 'pyproject.toml': '[project]\ndependencies = ["svcprobe"]\n', 'scripts/report.py': needing('svcprobe') },
        '    runtimes: [{ name: probe, type: python_package, module: svcprobe }]',
      ),
      beta: reports('beta', {
        'requirements.txt': '# what it imports\ndcc-mcp-core>=0.12\n',
        'scripts/report.py': 'from dcc_mcp_core.skill import skill_success\nprint(skill_success("brought"))\n',
      }),
    },
    {},
    offline,
  );
  await writeWheel(join(app.root, 'alpha', 'wheels'), 'svcprobe', '1.0', 'own');
  const stateOf = async () => (await app.json('get_skill_info', { skill_name: 'alpha' })).runtime;
  expect(await stateOf()).toBe('probe: missing');
  await load(app, 'alpha');
  expect(await stateOf()).toBe('probe: available');
  expect(await load(app, 'beta')).not.toHaveProperty('missing_runtimes');
  expect(JSON.stringify(await app.call('beta_report'))).toContain('brought');
}, 30_000);

test('what cannot be installed takes only its tools with it, says why, and is tried again by load_skill', async () => {
  const cache = await tempDir();
  const app = await skillApp(
    {
      alpha: {
        ...reports('alpha', {
          'scripts/report.py': block('# dependencies = [\n#   "svcnowhere==7",\n# ]', needing('svcnowhere')),
        }),
        'scripts/old.py': block('# requires-python = ">=3.99"', ''),
        'tools.yaml':
          'tools:\n  - { name: alpha_report, description: Reports., source_file: scripts/report.py }\n' +
          '  - { name: alpha_old, description: Wants another Python., source_file: scripts/old.py }\n' +
          '  - { name: alpha_plain, description: Needs nothing., source_file: scripts/plain.sh }\n',
      },
    },
    // Environments are made and taken away again in this call, which a busy machine needs its time for.
    { cache_dir: cache, request_timeout_ms: 120_000 },
    offline,
  );
  const first = await load(app, 'alpha');
  expect(first).toMatchObject({
    loaded: true,
    missing_runtimes: [{ type: 'python_environment', state: 'missing' }, {}],
  });
  const missing = first.warnings as { reason_code: string; message: string }[];
  expect(missing.map(each => each.reason_code)).toEqual(['python_failed', 'python_failed']);
  expect(missing[0]?.message).toMatch(/tool "alpha_report": .*No matching distribution found for svcnowhere==7/);
  expect(missing[1]?.message).toMatch(/Python >=3\.99 was not found \(there is 3\.\d+\.\d+.*SVC_PYTHON_EXECUTABLE/);
  expect(await app.json('alpha_plain')).toEqual({ plain: true });
  const refused = app.call('alpha_report');
  await expect(refused).rejects.toMatchObject({ code: 'SVC_SKILLS_RUNTIME_NO_PYTHON' });
  await expect(refused).rejects.toThrow(/svcnowhere==7.*call load_skill with skill_name "alpha"/);
  expect((await app.json('get_skill_info', { skill_name: 'alpha' })).warnings).toMatchObject([{}, {}]);
  // What failed left nothing behind.
  expect(await built(cache)).toEqual([]);

  await writeWheel(join(app.root, 'alpha/wheels'), 'svcnowhere', '7', 'here');
  const second = await load(app, 'alpha');
  expect(second.missing_runtimes).toMatchObject([{ name: 'Python of alpha_old' }]);
  expect((await app.json('alpha_report')).answer).toBe('here');
}, 180_000);

test('a save of requirements.txt is a change: the next call runs with the new ones', async () => {
  const app = await skillApp(
    { alpha: reports('alpha', { 'requirements.txt': 'svcprobe==1\n', 'scripts/report.py': needing('svcprobe') }) },
    { watch_skills: true },
    offline,
  );
  for (const version of ['1', '2']) await writeWheel(join(app.root, 'alpha/wheels'), 'svcprobe', version, version);
  await load(app, 'alpha');
  expect((await app.json('alpha_report')).answer).toBe('1');
  await new Promise(resolve => setTimeout(resolve, 400));
  await writeFile(join(app.root, 'alpha/requirements.txt'), '-r more.txt\n');
  await writeFile(join(app.root, 'alpha/more.txt'), 'svcprobe==2\n');
  await app.app.skills.load('alpha');
  await waitFor(async () => (await app.json('alpha_report')).answer === '2', 'the new version');
}, 60_000);

test('an installation has its time and ends with its skill, with all that it started; others load meanwhile', async () => {
  const programs = await tempDir();
  const note = join(programs, 'pids');
  // An installer that hangs, and what it started.
  await writeFile(join(programs, 'uv'), `#!/bin/bash\nsleep 60 &\necho $$ $! >> ${note}\nwait\n`);
  await chmod(join(programs, 'uv'), 0o755);
  const slow = (name: string) => reports(name, { 'scripts/report.py': 'print(1)\n' }, `    requirements: [${name}]`);
  const env = { ...offline, PATH: `${programs}:${process.env.PATH}` };
  const app = await skillApp(
    { alpha: slow('alpha'), beta: slow('beta'), gamma: reports('gamma', {}) },
    { skill_setup_timeout_secs: 1, request_timeout_ms: 30_000 },
    env,
  );
  let loaded = false;
  const loading = load(app, 'alpha').finally(() => {
    loaded = true;
  });
  await waitFor(async () => (await readFile(note, 'utf8').catch(() => '')).includes('\n'), 'the installer');
  await load(app, 'gamma');
  expect(loaded).toBe(false);
  const told = (await loading).missing_runtimes;
  expect(told).toMatchObject([
    { name: 'Python of alpha_report', description: expect.stringContaining('it took longer than 1 s') },
  ]);
  const alive = async (): Promise<boolean> =>
    (await readFile(note, 'utf8'))
      .split(/\s+/)
      .filter(Boolean)
      .some(each => {
        try {
          process.kill(Number(each), 0);
          return true;
        } catch {
          return false;
        }
      });
  await waitFor(async () => !(await alive()), 'the end of the installer at its time');

  await rm(note);
  const other = load(app, 'beta');
  await waitFor(async () => (await readFile(note, 'utf8').catch(() => '')).includes('\n'), 'the second installer');
  const waiting = expect(app.call('beta_report')).rejects.toThrow(/unloaded/);
  await app.call('unload_skill', { skill_name: 'beta' });
  await waitFor(async () => !(await alive()), 'the end of the installer with its skill');
  await waiting;
  await other;
}, 30_000);

test('nothing of a package runs before it is loaded, and a cache that cannot be written is named', async () => {
  const programs = await tempDir();
  await mkdir(join(programs, 'file'), { recursive: true });
  await writeFile(join(programs, 'cache'), 'no folder');
  const app = await skillApp(
    { alpha: reports('alpha', { 'requirements.txt': 'x\n', 'scripts/report.py': 'print(1)\n' }) },
    { cache_dir: join(programs, 'cache') },
    offline,
  );
  await app.json('get_skill_info', { skill_name: 'alpha' });
  const { warnings } = await load(app, 'alpha');
  expect(warnings).toMatchObject([
    { message: expect.stringMatching(/cannot be written \(ENOTDIR\): name another with cache_dir/) },
  ]);
});

test('what cannot be installed but is there already runs with the interpreter itself', async () => {
  const app = await skillApp(
    {
      alpha: reports('alpha', {
        'requirements.txt': 'pip>=1\n',
        'scripts/report.py': 'import json, pip\nprint(json.dumps({"pip": bool(pip)}))\n',
      }),
    },
    {},
    offline,
  );
  expect(await load(app, 'alpha')).not.toHaveProperty('warnings');
  expect(await app.json('alpha_report')).toEqual({ pip: true });
}, 30_000);

const uv = await findProgram('uv', process.env);

test.skipIf(uv === undefined)(
  `uv itself makes an environment${uv ? '' : ': uv is not on the PATH'}`,
  async () => {
    const app = await skillApp(
      { alpha: reports('alpha', { 'requirements.txt': 'svcprobe\n', 'scripts/report.py': needing('svcprobe') }) },
      {},
      offline,
    );
    await writeWheel(join(app.root, 'alpha', 'wheels'), 'svcprobe', '1.0', 'by uv');
    expect(await load(app, 'alpha')).not.toHaveProperty('missing_runtimes');
    const { answer, prefix } = await app.json('alpha_report');
    expect(answer).toBe('by uv');
    expect(await readFile(join(String(prefix), 'pyvenv.cfg'), 'utf8')).toMatch(/^uv = /m);
  },
  30_000,
);
