/** `svc-server call` and `skills dev` as an author uses them: real processes, real servers, the exit codes of a shell. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../helper.ts';
import { writeFiles } from '../plugins/skills/support.ts';
import { runProgram } from './program.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-call-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tool = (name: string, more = ''): string => `  - { name: ${name}, description: It.${more} }`;

/** Runs `svc-server <words>` to its end. */
async function call(words: readonly string[], env: Record<string, string>, input = '') {
  const run = runProgram(words, env);
  run.child.stdin?.end(input);
  const code = await run.ended;
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}

test('skills dev serves a package and tells of every save; call finds the server, reads arguments, waits and has exit codes', async () => {
  const env = { XDG_STATE_HOME: join(folder, 'state'), HOME: folder, SVC_REGISTRY_DIR: join(folder, 'registry') };
  const directory = await writeFiles(join(folder, 'kit'), {
    'SKILL.md': '---\nname: kit\ndescription: A kit.\n---\n\nUse it.\n',
    'tools.yaml': [
      'tools:',
      tool('add', ', input_schema: { type: object, properties: { n: { type: integer } }, required: [n] }'),
      tool('work', ', execution: async'),
      tool('refuse'),
      tool('wait'),
    ].join('\n'),
    'tools/add.ts': 'export default ({ n }, ctx) => { ctx.progress(1, 2, "half"); return { more: n + 1 }; };',
    'tools/work.ts':
      'export default async () => { await new Promise(r => setTimeout(r, 200)); return { done: true }; };',
    'tools/refuse.ts': 'export default () => ({ success: false, message: "not today" });',
    'tools/wait.ts':
      'import { setTimeout as p } from "node:timers/promises";\nexport default (_, ctx) => p(20000, 0, ctx);',
  });
  expect(await call(['call', 'add', '--arg', 'n=1'], env)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('No server of this user runs'),
  });

  const dev = runProgram(['skills', 'dev', directory, '--json'], env);
  await waitFor(() => dev.stdout().includes('"loaded"'), 'the skill is loaded', 20_000);
  const events = () =>
    dev
      .stdout()
      .trim()
      .split('\n')
      .map(each => JSON.parse(each) as Record<string, unknown>);
  const { mcp_url } = events()[0] as { mcp_url: string };

  const added = await call(['call', 'add', '--arg', 'n=41'], env);
  expect([added.code, JSON.parse(added.stdout)]).toEqual([0, { more: 42 }]);
  expect(added.stderr).toContain(`add at kit, server ${mcp_url}`);
  expect(added.stderr).toContain('  1/2 half');
  expect(await call(['call', 'work', '--url', mcp_url, '--raw'], env)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"structuredContent":{"done":true}'),
  });
  const [piped, refused, invalid, unknown, late] = await Promise.all([
    call(['call', 'add', '--json', '-'], env, '{"n":1}'),
    call(['call', 'refuse'], env),
    call(['call', 'add', '--json', '{"n":"x"}'], env),
    call(['call', 'ad'], env),
    call(['call', 'wait', '--timeout', '1'], env),
  ]);
  expect(JSON.parse(piped.stdout)).toEqual({ more: 2 });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('error [GENERAL_ERROR]: not today')]);
  expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('"n" must be integer')]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean add')]);
  expect([late.code, late.stderr]).toEqual([4, expect.stringContaining('did not end within 1 s')]);

  const file = join(directory, 'tools/add.ts');
  const code = await readFile(file, 'utf8');
  await writeFile(file, `import './none.ts';\n${code}`);
  await waitFor(() => events().some(each => each.event === 'failed'), 'the failed reload is told');
  await waitFor(() => events().some(each => each.event === 'validated' && each.valid === false), 'so is the finding');
  expect(events().findLast(each => each.event === 'validated')?.errors).toMatchObject([
    { file: 'tools/add.ts', line: 1, reason_code: 'build_failed' },
  ]);
  await writeFile(file, code.replace('n + 1', 'n + 2'));
  await waitFor(() => events().some(each => each.event === 'reloaded'), 'the reload is told');
  expect(JSON.parse((await call(['call', 'add', '--arg', 'n=40'], env)).stdout)).toEqual({ more: 42 });
  dev.child.kill('SIGTERM');
  expect(await dev.ended).toBe(0);
}, 60_000);
